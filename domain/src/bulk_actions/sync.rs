//! The database side of type 9, one case: transaction 1 writes the intent and reads what to send, transaction 2 the outcome.
use chrono::NaiveDate;
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::audit::{self, By, Entry};
use crate::cases::{self, CaseStatus, Number};
use crate::ids::{BulkActionId, CaseId, TenantId};
use crate::jobs::{Claimed, Outcome, finish};
use crate::outward::{self, Class, Intent, Settled};
use crate::{Error, Result, Role};

/// Our name of the operation in the ledger.
pub const OPERATION: &str = "tarn.sync";
/// Problems that say that the register and we differ: not opened there, out of sync (opened, closed, other), a change of
/// state that it has not taken. The enforcement exchange's (6) is not the register's.
pub const REGISTER_PROBLEMS: [i16; 9] = [2, 3, 4, 5, 7, 8, 9, 10, 11];

/// A claimant or debtor as the register is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Party {
    pub name: String,
    pub first_name: Option<String>,
    pub code: Option<String>,
    pub phone: Option<String>,
    pub email: Option<String>,
    pub address: Option<String>,
}

/// A case as the register is told; sums in cents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseData {
    pub number: Number,
    pub statement_number: Option<String>,
    pub status: CaseStatus,
    pub opened_on: NaiveDate,
    pub delivered_on: Option<NaiveDate>,
    pub voluntary_until_on: Option<NaiveDate>,
    pub enforcement_on: Option<NaiveDate>,
    pub stopped_on: Option<NaiveDate>,
    pub stop_reason: Option<String>,
    pub closed_on: Option<NaiveDate>,
    pub close_reason: Option<String>,
    pub start_fee_cents: i64,
    pub issuer_fee_cents: i64,
    pub enforcement_fee_cents: i64,
    pub total_claims_cents: i64,
    pub received_cents: i64,
    pub paid_to_claimant_cents: i64,
    pub balance_cents: i64,
    pub claimant: Party,
    pub debtor: Party,
}

/// A message that may leave as soon as transaction 1 has committed.
#[derive(Debug, Clone)]
pub struct Sending {
    pub ledger: outward::Entry,
    pub case_id: CaseId,
    pub tenant_id: TenantId,
    /// The bureau's bailiff: a personal code.
    pub bailiff_code: String,
    /// The setting `register` / `state_read`: whether the register's state is read back.
    pub read_state: bool,
    /// Who ordered the action, for the audit.
    pub username: String,
    pub role: Role,
    /// Whether the register has known the case before.
    pub registered: bool,
    pub case: CaseData,
}

/// What transaction 1 found.
#[derive(Debug, Clone)]
pub enum Prepared {
    /// The run has been taken away: nothing may be sent.
    NotOurs,
    Cancelled,
    /// The case has left the bureau.
    Gone,
    NoBailiff,
    /// Another action's message about the case waits for its answer: the later data must arrive later.
    Busy,
    /// An earlier run of this order has had its yes.
    AlreadyDone(Box<Sending>),
    Send(Box<Sending>),
}

/// Transaction 1: locks the case, checks that the run is still ours and not cancelled, writes the intent.
pub async fn prepare(conn: &mut PgConnection, job: &Claimed, fresh_id: Uuid) -> Result<Prepared> {
    let (Some(case_id), Some(action)) = (job.case_id, job.bulk_action_id) else {
        return Err(Error::NotFound);
    };
    let bailiff = sqlx::query!(
        r#"select b.bailiff_code,
                  coalesce((select value = 'true'::jsonb from settings
                            where tenant_id is null and type = 'register' and name = 'state_read'), true) as "read_state!"
           from cases c join bureaus b on b.id = c.tenant_id where c.id = $1 for no key update of c"#,
        case_id.0
    )
    .fetch_optional(&mut *conn)
    .await?;
    let standing = standing(conn, job, action).await?;
    if !standing.ours {
        return Ok(Prepared::NotOurs);
    }
    if standing.cancelled {
        return Ok(Prepared::Cancelled);
    }
    let Some(bailiff) = bailiff else {
        return Ok(Prepared::Gone);
    };
    let read_state = bailiff.read_state;
    let Some(bailiff_code) = bailiff.bailiff_code.filter(|code| !code.is_empty()) else {
        return Ok(Prepared::NoBailiff);
    };
    let (case, registered) = read(conn, case_id).await?;
    let intent = Intent {
        tenant_id: job.tenant_id,
        subject: &format!("case:{case_id}"),
        operation: OPERATION,
        number: action.0,
        class: Class::State,
        job_id: job.id,
        case_id: Some(case_id),
        // Another version of the program may write the same data in another way: then a warning too many, none too few.
        body_hash: Sha256::digest(format!("{case:?}")).into(),
    };
    if outward::under_way(conn, &intent).await? {
        return Ok(Prepared::Busy);
    }
    let ledger = outward::intend(conn, &intent, fresh_id).await?;
    let done = ledger.state == outward::State::Done;
    let sending = Box::new(Sending {
        ledger,
        case_id,
        tenant_id: job.tenant_id,
        bailiff_code,
        read_state,
        username: standing.username,
        role: standing.role,
        registered,
        case,
    });
    Ok(if done {
        Prepared::AlreadyDone(sending)
    } else {
        Prepared::Send(sending)
    })
}

struct Standing {
    /// The run has not been taken away.
    ours: bool,
    cancelled: bool,
    username: String,
    role: Role,
}

/// Read after the case's lock was taken, right before the message leaves; a lock on the action's row would have every task
/// of it wait for a cancel, and the cancel for them.
async fn standing(
    conn: &mut PgConnection,
    job: &Claimed,
    action: BulkActionId,
) -> Result<Standing> {
    let row = sqlx::query!(
        r#"select a.cancelled_at is not null or exists (select from jobs where id = $2 and cancel_at is not null) as "cancelled!",
                  u.username, a.created_by_role as "role: Role",
                  exists (select from jobs where id = $2 and dispatch_no = $3 and state = 'running') as "ours!"
           from bulk_actions a join users u on u.id = a.created_by where a.id = $1"#,
        action.0,
        job.id.0,
        job.dispatch_no,
    )
    .fetch_optional(conn)
    .await?
    .ok_or(Error::NotFound)?;
    Ok(Standing {
        ours: row.ours,
        cancelled: row.cancelled,
        username: row.username,
        role: row.role,
    })
}

/// Whether a message that was prepared may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    Yes,
    Cancelled,
    /// The run has been taken away.
    NotOurs,
}

/// Asked right before the call, under the queue's role: the process may have been held up since transaction 1.
pub async fn may_leave(conn: &mut PgConnection, job: &Claimed) -> Result<Leave> {
    let row = sqlx::query!(
        r#"select j.state = 'running' and j.dispatch_no = $2 as "ours!",
                  a.cancelled_at is not null or j.cancel_at is not null as "cancelled!"
           from jobs j join bulk_actions a on a.id = j.bulk_action_id where j.id = $1"#,
        job.id.0,
        job.dispatch_no,
    )
    .fetch_optional(conn)
    .await?;
    Ok(match row {
        Some(row) if row.ours && row.cancelled => Leave::Cancelled,
        Some(row) if row.ours => Leave::Yes,
        _ => Leave::NotOurs,
    })
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Conclusion<'a> {
    pub outcome: Outcome,
    /// None: the ledger says already what it must.
    pub ledger: Option<Settled<'a>>,
    /// The register has our data.
    pub agreed: bool,
    /// Problem type and text, where the register and we differ.
    pub problem: Option<(i16, String)>,
}

/// Transaction 2: finish, ledger, the case's problems, audit, list row. False: the run was fenced and nothing was written;
/// the caller then keeps what was learnt by [`outward::settle`] in a transaction of its own.
pub async fn conclude(
    conn: &mut PgConnection,
    job: &Claimed,
    sending: &Sending,
    end: &Conclusion<'_>,
) -> Result<bool> {
    // The case first: everything that locks cases and jobs takes them in this order.
    sqlx::query!(
        "select id from cases where id = $1 for no key update",
        sending.case_id.0
    )
    .fetch_optional(&mut *conn)
    .await?;
    if finish(conn, std::slice::from_ref(&end.outcome))
        .await?
        .is_empty()
    {
        return Ok(false);
    }
    if let Some(settled) = &end.ledger {
        outward::settle(conn, sending.ledger.id, settled).await?;
    }
    let mut resolved = 0;
    if end.agreed {
        let but = end.problem.as_ref().map(|(kind, _)| *kind);
        resolved = sqlx::query_scalar!(
            r#"with resolved as (
                 update problems set resolved_at = clock_timestamp()
                 where case_id = $1 and resolved_at is null and type = any($2) and type is distinct from $3
                 returning id
               ), touched as (
                 update cases set synced_at = clock_timestamp() where id = $1
               )
               select count(*) as "resolved!" from resolved"#,
            sending.case_id.0,
            &REGISTER_PROBLEMS[..],
            but,
        )
        .fetch_one(&mut *conn)
        .await?;
    }
    if let Some((kind, text)) = &end.problem {
        sqlx::query!(
            "insert into problems (tenant_id, case_id, type, message) select tenant_id, id, $2, $3 from cases where id = $1
             on conflict (case_id, type, coalesce(sub_type, 0)) where resolved_at is null
             do update set message = excluded.message",
            sending.case_id.0,
            *kind,
            text,
        )
        .execute(&mut *conn)
        .await?;
    }
    let entry = Entry {
        case_id: Some(sending.case_id),
        after: Some(json!({
            "agreed": end.agreed,
            "problem": end.problem.as_ref().map(|(kind, _)| kind),
            "problems_resolved": resolved,
            "message_id": sending.ledger.message_id,
        })),
        message: Some(end.outcome.output.clone()),
        ..Entry::new(
            job.tenant_id,
            "sync_to_register",
            "EnforcementCase",
            sending.case_id.0,
        )
    };
    let by = By {
        user_id: job.created_by,
        username: Some(sending.username.clone()),
        role: Some(sending.role),
        request_id: job.request_id.clone(),
        job_id: Some(job.id),
    };
    audit::write(conn, &by, entry).await?;
    if resolved > 0 || end.problem.is_some() {
        cases::refresh_list(conn, &[sending.case_id]).await?;
    }
    Ok(true)
}

/// What is told of a case, and whether the register has known it before.
async fn read(conn: &mut PgConnection, case: CaseId) -> Result<(CaseData, bool)> {
    let row = sqlx::query!(
        r#"select c.prefix, c.year, c.index, c.statement_number, c.status, coalesce(c.register_id, c.synced_at::text) is not null as "registered!",
                  c.date_opened, c.delivery_date, c.voluntary_compliance_date, c.enforcement_date, c.stop_start_date,
                  coalesce(c.stop_reason, s.name) as stop_reason, c.date_closed,
                  coalesce(c.close_explanation, k.name) as close_reason,
                  c.start_fee_initial_cents, c.issuer_fee_initial_cents, c.enforcement_fee_initial_cents,
                  c.sum_received_cents, c.paid_to_claimant_cents, l.total_claims_cents, l.balance_cents,
                  c.claimant_id, c.debtor_id
           from cases c
           join case_list l on l.case_id = c.id
           left join classifier_values s on s.id = c.stop_basis_id
           left join classifier_values k on k.id = c.close_basis_id
           where c.id = $1"#,
        case.0
    )
    .fetch_one(&mut *conn)
    .await?;
    let (claimant, debtor) = parties(conn, row.claimant_id, row.debtor_id).await?;
    let data = CaseData {
        number: Number {
            prefix: row.prefix,
            year: row.year,
            index: row.index,
        },
        statement_number: row.statement_number,
        status: CaseStatus::from_number(row.status).ok_or(Error::NotFound)?,
        opened_on: row.date_opened,
        delivered_on: row.delivery_date,
        voluntary_until_on: row.voluntary_compliance_date,
        enforcement_on: row.enforcement_date,
        stopped_on: row.stop_start_date,
        stop_reason: row.stop_reason,
        closed_on: row.date_closed,
        close_reason: row.close_reason,
        start_fee_cents: row.start_fee_initial_cents,
        issuer_fee_cents: row.issuer_fee_initial_cents,
        enforcement_fee_cents: row.enforcement_fee_initial_cents,
        total_claims_cents: row.total_claims_cents,
        received_cents: row.sum_received_cents,
        paid_to_claimant_cents: row.paid_to_claimant_cents,
        balance_cents: row.balance_cents,
        claimant,
        debtor,
    };
    Ok((data, row.registered))
}

/// Claimant and debtor; one person may be both.
async fn parties(conn: &mut PgConnection, claimant: i64, debtor: i64) -> Result<(Party, Party)> {
    let rows = sqlx::query!(
        r#"select p.id, p.type, coalesce(p.name_last, p.name) as "name!", p.name_first, p.code,
                  (select value from contacts where person_id = p.id and type = 0 order by id limit 1) as phone,
                  (select value from contacts where person_id = p.id and type = 1 order by id limit 1) as email,
                  (select address from addresses where person_id = p.id order by id limit 1) as address
           from people p where p.id = any($1)"#,
        &[claimant, debtor][..],
    )
    .fetch_all(conn)
    .await?;
    let find = |id: i64| -> Result<Party> {
        let row = rows
            .iter()
            .find(|row| row.id == id)
            .ok_or(Error::NotFound)?;
        Ok(Party {
            name: row.name.clone(),
            first_name: row.name_first.clone().filter(|_| row.r#type == 1),
            code: row.code.clone(),
            phone: row.phone.clone(),
            email: row.email.clone(),
            address: row.address.clone(),
        })
    };
    Ok((find(claimant)?, find(debtor)?))
}
