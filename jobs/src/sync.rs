//! Type 9 on one case: intent, call to the national register with no transaction open, outcome.
use std::time::Duration;

use domain::bulk_actions::sync::{self, CaseData, Conclusion, Leave, Party, Prepared, Sending};
use domain::cases::CaseStatus;
use domain::jobs::{Claimed, Ending, Failure, Outcome, failure, finish};
use domain::outward::{self, Settled, State};
use domain::telemetry::Trace;
use domain::{Error, Result, Scope, db};
use registers::{CallError, Envelope, Exchange, Kind, tarn};
use tracing::{Instrument, Span};
use uuid::Uuid;

use crate::context::Context;

/// Works one task.
pub async fn run(ctx: &Context, job: &Claimed) -> Result<(), Failure> {
    let prepared = prepare(ctx, job)
        .await
        .map_err(|error| failure::of(&error))?;
    match prepared {
        Prepared::NotOurs => Ok(()),
        Prepared::Cancelled => end(ctx, job, Ending::Cancelled, CANCELLED).await,
        Prepared::Gone => end(ctx, job, Ending::Warning, domain::bulk_actions::GONE).await,
        Prepared::NoBailiff => {
            let failed = Ending::Failed {
                code: "no_bailiff".into(),
            };
            end(ctx, job, failed, "Bürool ei ole määratud kohtutäiturit.").await
        }
        Prepared::Busy => Err(Failure::Released {
            // By chance, so that two that wait for each other do not come back together.
            after: Duration::from_millis(rand::random_range(1_000..3_000)),
            reason: "another message about the case is under way".into(),
        }),
        Prepared::AlreadyDone(sending) => agreed(ctx, job, &sending, None).await,
        Prepared::Send(sending) => send(ctx, job, &sending).await,
    }
}

const CANCELLED: &str = "Katkestatud.";

async fn prepare(ctx: &Context, job: &Claimed) -> Result<Prepared> {
    let mut tx = db::begin(&ctx.single, Scope::Bureau(job.tenant_id)).await?;
    let prepared = sync::prepare(&mut tx, job, Uuid::now_v7()).await?;
    tx.commit().await?;
    Ok(prepared)
}

/// Ends a task that sends nothing.
async fn end(ctx: &Context, job: &Claimed, ending: Ending, output: &str) -> Result<(), Failure> {
    let outcome = Outcome::new(job, ending.clone(), output);
    let ended = async {
        let mut conn = ctx.queue.acquire().await?;
        finish(&mut conn, &[outcome]).await
    };
    let mine = ended.await.map_err(|error| failure::of(&error))?;
    if mine.contains(&job.id) {
        ctx.minutes.add(job, &ending);
    }
    Ok(())
}

async fn send(ctx: &Context, job: &Claimed, sending: &Sending) -> Result<(), Failure> {
    fail::fail_point!("intended");
    let leave = async { sync::may_leave(&mut *ctx.queue.acquire().await?, job).await };
    match leave.await.map_err(|error| failure::of(&error))? {
        Leave::Yes => {}
        Leave::NotOurs => return Ok(()),
        Leave::Cancelled => {
            let not_sent = Settled {
                state: State::NotSent,
                request: "",
                response: "",
                error_code: None,
            };
            let conclusion = Conclusion {
                outcome: Outcome::new(job, Ending::Cancelled, CANCELLED),
                ledger: Some(not_sent),
                agreed: false,
                problem: None,
            };
            return conclude(ctx, job, sending, conclusion).await;
        }
    }
    let span = span("sync");
    let envelope = envelope(job, sending, sending.ledger.message_id, &span);
    let case = told(&sending.case);
    let call = ctx.tarn.sync(&envelope, &case).instrument(span);
    let answer = ctx.gates.tarn.call(job.id, call).await;
    fail::fail_point!("answered");
    match answer {
        Ok(answer) => agreed(ctx, job, sending, Some(&answer)).await,
        Err(error) => match &error.kind {
            Kind::Refused { code, text } => {
                refused(ctx, job, sending, &error.exchange, code, text).await
            }
            Kind::Permanent { code, text } => {
                let text = format!("X-tee keeldus: {text}");
                let failed = Ending::Failed {
                    code: format!("xroad_{code}"),
                };
                let conclusion = Conclusion {
                    outcome: Outcome::new(job, failed, text),
                    ledger: Some(settled(State::Refused, &error.exchange, Some(code))),
                    agreed: false,
                    problem: None,
                };
                conclude(ctx, job, sending, conclusion).await
            }
            Kind::NotSent { .. } => unsettled(ctx, job, sending, State::NotSent, &error).await,
            Kind::Transient { .. } | Kind::Unknown { .. } => {
                unsettled(ctx, job, sending, State::Unknown, &error).await
            }
        },
    }
}

/// The register has the data: its state is read back where it can be, and what differs becomes a problem.
async fn agreed(
    ctx: &Context,
    job: &Claimed,
    sending: &Sending,
    answer: Option<&tarn::Answer>,
) -> Result<(), Failure> {
    // Also after a plain yes: a register may answer a repetition as it answered the first.
    if sending.ledger.changed {
        return outdated(ctx, job, sending, answer).await;
    }
    let reads_back = sending.read_state && ctx.tarn.offers_state();
    let mut ledger = answer.map(|answer| settled(State::Done, &answer.exchange, None));
    if reads_back && let Some(settled) = ledger.take() {
        // Kept before anything else is asked: the reading may be slow, and this answer must not be lost with it.
        insist(ctx, job, sending, Write::Ledger(&settled)).await?;
    }
    let first = match answer {
        Some(answer) if !answer.already => "Andmed on täitmisregistrile saadetud.",
        _ => "Andmed olid täitmisregistris juba olemas.",
    };
    let read = if reads_back {
        read_back(ctx, job, sending).await
    } else {
        ReadBack::Off
    };
    let (ending, line, problem) = match read {
        ReadBack::Off => (Ending::Ok, None, None),
        ReadBack::Same(status) => (
            Ending::Ok,
            Some(format!("Olek registris: {}.", status.label())),
            None,
        ),
        ReadBack::Differs(kind, text) => (Ending::Warning, Some(text.clone()), Some((kind, text))),
        ReadBack::NotRead => (
            Ending::Ok,
            Some("Olekut ei õnnestunud registrist tagasi lugeda.".into()),
            None,
        ),
    };
    let output = line.map_or_else(|| first.to_owned(), |line| format!("{first}\n{line}"));
    let conclusion = Conclusion {
        outcome: Outcome::new(job, ending, output),
        ledger,
        agreed: true,
        problem,
    };
    conclude(ctx, job, sending, conclusion).await
}

/// The register may have what an earlier sending held; the case has changed since.
async fn outdated(
    ctx: &Context,
    job: &Claimed,
    sending: &Sending,
    answer: Option<&tarn::Answer>,
) -> Result<(), Failure> {
    let conclusion = Conclusion {
        outcome: Outcome::new(job, Ending::Warning, OUTDATED),
        ledger: answer.map(|answer| settled(State::Done, &answer.exchange, None)),
        agreed: false,
        problem: None,
    };
    conclude(ctx, job, sending, conclusion).await
}

const OUTDATED: &str = "Täitmisregistrisse võisid jääda varem saadetud andmed: toimik on pärast esimest saatmist muutunud. Korda alamtegevust, et saata uued andmed.";

async fn refused(
    ctx: &Context,
    job: &Claimed,
    sending: &Sending,
    exchange: &Exchange,
    code: &str,
    text: &str,
) -> Result<(), Failure> {
    // Where the register does not know the case at all, it was never opened there.
    let kind = if sending.registered {
        OUT_OF_SYNC
    } else {
        NOT_OPENED
    };
    let text = failure::excerpt(text);
    let conclusion = Conclusion {
        outcome: Outcome::new(
            job,
            Ending::Failed {
                code: format!("tarn_{code}"),
            },
            format!("Täitmisregister keeldus: {text}"),
        ),
        ledger: Some(settled(State::Refused, exchange, Some(code))),
        agreed: false,
        problem: Some((kind, text)),
    };
    conclude(ctx, job, sending, conclusion).await
}

const NOT_OPENED: i16 = 2;
const OUT_OF_SYNC_OPEN: i16 = 3;
const OUT_OF_SYNC_CLOSED: i16 = 4;
const OUT_OF_SYNC: i16 = 5;

enum ReadBack {
    Off,
    Same(CaseStatus),
    Differs(i16, String),
    NotRead,
}

/// All tries of one reading together: well within a run's time limit, which the call before it shares.
const READ_BACK: Duration = Duration::from_secs(20);

/// A read may be repeated freely; three failures in a row, silence, or a register that is open are left for the next sync.
async fn read_back(ctx: &Context, job: &Claimed, sending: &Sending) -> ReadBack {
    let number = sending.case.number.to_string();
    let tries = async {
        for _ in 0..3 {
            if !ctx.gates.tarn.another(job.id, &ctx.queue).await {
                return ReadBack::NotRead;
            }
            // Each reading is a message of its own.
            let span = span("state");
            let envelope = envelope(job, sending, Uuid::now_v7(), &span);
            let read = ctx.tarn.state(&envelope, &number).instrument(span);
            match ctx.gates.tarn.call(job.id, read).await {
                Ok(state) => return compare(sending.case.status, state.status),
                Err(error) if error.is_permanent() => return ReadBack::NotRead,
                Err(_) => {}
            }
        }
        ReadBack::NotRead
    };
    tokio::time::timeout(READ_BACK, tries)
        .await
        .unwrap_or(ReadBack::NotRead)
}

fn compare(ours: CaseStatus, theirs: i16) -> ReadBack {
    let Some(theirs) = CaseStatus::from_number(theirs) else {
        return ReadBack::Differs(
            OUT_OF_SYNC,
            format!("Olek registris on tundmatu: {theirs}."),
        );
    };
    if ours == theirs {
        return ReadBack::Same(ours);
    }
    let kind = match theirs {
        CaseStatus::Open => OUT_OF_SYNC_OPEN,
        CaseStatus::Closed | CaseStatus::Archived => OUT_OF_SYNC_CLOSED,
        _ => OUT_OF_SYNC,
    };
    ReadBack::Differs(
        kind,
        format!(
            "Olek registris on \"{}\", büroos \"{}\".",
            theirs.label(),
            ours.label()
        ),
    )
}

/// The outcome is open: the ledger says so, and the job is tried again under the same message id.
async fn unsettled(
    ctx: &Context,
    job: &Claimed,
    sending: &Sending,
    state: State,
    error: &CallError,
) -> Result<(), Failure> {
    let (code, message) = match state {
        State::NotSent => (
            "register_unreachable",
            "Täitmisregister ei ole kättesaadav.",
        ),
        _ => (
            "register_outcome_unknown",
            "Täitmisregistri vastus jäi saamata, tulemus on teadmata.",
        ),
    };
    tracing::info!(register.name = "tarn", ledger.id = sending.ledger.id, error = %error, "a message is not settled");
    let settled = settled(state, &error.exchange, Some(code));
    insist(ctx, job, sending, Write::Ledger(&settled)).await?;
    Err(Failure::Transient {
        code: code.into(),
        message: message.into(),
    })
}

async fn note(ctx: &Context, sending: &Sending, settled: &Settled<'_>) -> Result<()> {
    let mut tx = db::begin(&ctx.single, Scope::Bureau(sending.tenant_id)).await?;
    outward::settle(&mut tx, sending.ledger.id, settled).await?;
    tx.commit().await?;
    Ok(())
}

fn settled<'a>(state: State, exchange: &'a Exchange, error_code: Option<&'a str>) -> Settled<'a> {
    Settled {
        state,
        request: &exchange.request,
        response: &exchange.response,
        error_code,
    }
}

/// Transaction 2.
async fn conclude(
    ctx: &Context,
    job: &Claimed,
    sending: &Sending,
    end: Conclusion<'_>,
) -> Result<(), Failure> {
    insist(ctx, job, sending, Write::End(&end)).await
}

/// What is to be written of an answer.
#[derive(Clone, Copy)]
enum Write<'a> {
    Ledger(&'a Settled<'a>),
    /// Transaction 2.
    End(&'a Conclusion<'a>),
}

/// Whoever holds an answer keeps trying while our own database is away. What could not be written at last is left unknown:
/// the message has gone, so the run does not count for nothing.
async fn insist(
    ctx: &Context,
    job: &Claimed,
    sending: &Sending,
    write: Write<'_>,
) -> Result<(), Failure> {
    let mut wait = Duration::from_millis(100);
    loop {
        let written = match write {
            Write::Ledger(settled) => note(ctx, sending, settled).await,
            Write::End(end) => try_conclude(ctx, job, sending, end).await,
        };
        let Err(error) = written else { return Ok(()) };
        match failure::of(&error) {
            Failure::Released { .. } if wait <= PATIENCE => {
                tracing::warn!(job.id = job.id.0, error = %error, "an outcome was not written, trying again")
            }
            Failure::Released { .. } => {
                return Err(Failure::Transient {
                    code: "outcome_not_written".into(),
                    message: NOT_WRITTEN.into(),
                });
            }
            other => return Err(other),
        }
        tokio::time::sleep(wait).await;
        wait *= 2;
    }
}

const NOT_WRITTEN: &str = "Täitmisregistri vastust ei õnnestunud salvestada, tulemus on teadmata.";

/// The longest wait between two tries: half a minute in all, and what the tries themselves take.
const PATIENCE: Duration = Duration::from_secs(13);

async fn try_conclude(
    ctx: &Context,
    job: &Claimed,
    sending: &Sending,
    end: &Conclusion<'_>,
) -> Result<(), Error> {
    let mut tx = db::begin(&ctx.single, Scope::Bureau(job.tenant_id)).await?;
    if sync::conclude(&mut tx, job, sending, end).await? {
        tx.commit().await?;
        ctx.minutes.add(job, &end.outcome.ending);
        return Ok(());
    }
    tx.rollback().await?;
    tracing::info!(
        job.id = job.id.0,
        ledger.id = sending.ledger.id,
        "a run was fenced; its outcome stays in the ledger"
    );
    match &end.ledger {
        Some(settled) => note(ctx, sending, settled).await,
        None => Ok(()),
    }
}

/// One call to the register, as traces show it.
fn span(operation: &'static str) -> Span {
    tracing::error_span!("call", otel.name = %format_args!("tarn {operation}"), otel.kind = "client", register.name = "tarn")
}

fn envelope(job: &Claimed, sending: &Sending, message_id: Uuid, call: &Span) -> Envelope {
    let trace = job.request_id.as_deref().map(Trace::of);
    Envelope {
        traceparent: trace.map(|trace| trace.header(call)),
        message_id,
        user_id: format!("EE{}", sending.bailiff_code),
        issue: sending.case.number.to_string(),
    }
}

fn told(case: &CaseData) -> tarn::SyncCase {
    tarn::SyncCase {
        number: case.number.to_string(),
        statement_number: case.statement_number.clone(),
        status: case.status.number(),
        opened_on: Some(case.opened_on),
        delivered_on: case.delivered_on,
        voluntary_until_on: case.voluntary_until_on,
        enforcement_on: case.enforcement_on,
        stopped_on: case.stopped_on,
        stop_reason: case.stop_reason.clone(),
        closed_on: case.closed_on,
        close_reason: case.close_reason.clone(),
        start_fee_cents: case.start_fee_cents,
        issuer_fee_cents: case.issuer_fee_cents,
        enforcement_fee_cents: case.enforcement_fee_cents,
        total_claims_cents: case.total_claims_cents,
        received_cents: case.received_cents,
        paid_to_claimant_cents: case.paid_to_claimant_cents,
        balance_cents: case.balance_cents,
        claimant: party(&case.claimant),
        debtor: party(&case.debtor),
    }
}

fn party(party: &Party) -> tarn::Party {
    tarn::Party {
        name: party.name.clone(),
        first_name: party.first_name.clone(),
        code: party.code.clone(),
        phone: party.phone.clone(),
        email: party.email.clone(),
        address: party.address.clone(),
    }
}
