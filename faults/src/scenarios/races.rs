//! B36, B38: a cancel at any moment; two people who want different things of one task.
use std::time::Duration;

use anyhow::{Result, bail};
use chrono::{DateTime, Utc};
use serde_json::json;

use crate::actions::{self, COMPUTE_ISSUER_FEE, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::rig::Rig;
use crate::site::Session;

/// No effect starts more than a second after the cancel, and every task has an end; in both queues by turns.
pub async fn b36(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let (tasks, rounds) = (rig.tasks, rig.size.of(50, 4));
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, tasks).await?;
    let fault_free = actions::fault_free(rig, &koda, SYNC_TO_REGISTER, &filters).await?;
    let (mut cancelled, mut late, mut missed, mut accepted) = (0, 0, 0, 0);
    let mut slowest = Duration::ZERO;
    let mut stretch = Stretch::begin(rig).await?;
    for round in 0..rounds {
        let kind = if round % 4 == 3 {
            COMPUTE_ISSUER_FEE
        } else {
            SYNC_TO_REGISTER
        };
        let (after, _) = rig.simulator.last().await?;
        let action = actions::launch(&koda, kind, &filters).await?;
        let mut watch = Watch::new(&koda, &action);
        let most =
            fault_free.min(Duration::from_secs(4)) / if kind == COMPUTE_ISSUER_FEE { 4 } else { 1 };
        let moment = rig.moment(most);
        tokio::time::sleep(moment).await;
        let answer = koda
            .put(&format!("/v2/bulk_action/{}/cancel", action.id), None)
            .await?;
        match answer.status {
            200 => {}
            // It was over already.
            409 => missed += 1,
            status => bail!("the cancel answered {status}: {}", answer.body),
        }
        let from = std::time::Instant::now();
        watch.finish(rig, Duration::from_secs(120)).await?;
        slowest = slowest.max(from.elapsed());
        let gone = actions::in_state(&rig.admin, action.id, "cancelled").await?;
        let ended = actions::ended(&rig.admin, action.id).await?;
        cancelled += gone;
        report.check(ended == action.total, || {
            format!(
                "round {round}: {ended} of {} tasks have an end",
                action.total
            )
        });
        let at: Option<DateTime<Utc>> =
            sqlx::query_scalar("select cancelled_at from bulk_actions where id = $1")
                .bind(action.id)
                .fetch_one(&rig.admin)
                .await?;
        if let Some(at) = at {
            let limit = at + chrono::Duration::seconds(1);
            let effects = rig.simulator.effects(after).await?;
            let after_cancel: Vec<String> = effects
                .iter()
                .filter(|effect| effect.at > at)
                .map(|effect| effect.message_id.clone())
                .collect();
            if let Some(last) = effects.iter().map(|effect| effect.at).max() {
                accepted = accepted.max((last - at).num_milliseconds());
            }
            // What counts is when the message left: the way to the register and its slowness are not ours.
            let left: i64 = sqlx::query_scalar(
                "select count(*) from outward_calls
                 where message_id::text = any($1) and (sent_count > 1 or created_at > $2)",
            )
            .bind(&after_cancel)
            .bind(limit)
            .fetch_one(&rig.admin)
            .await?;
            late += left;
            let audited: i64 = sqlx::query_scalar(
                "select count(*) from audit a join jobs j on j.id = a.job_id
                 where j.bulk_action_id = $1 and a.action = 'compute_issuer_fee' and a.at > $2",
            )
            .bind(action.id)
            .bind(limit)
            .fetch_one(&rig.admin)
            .await?;
            late += audited;
        }
        report.wrong.append(&mut watch.wrong);
        stretch.add(&action);
    }
    // The ledger tells when a message was about to leave; a commit that hangs would let it leave later than that.
    report.check(accepted <= 2_000, || {
        format!("an effect was accepted {accepted} ms after its cancel")
    });
    report.check(cancelled > 0 && missed < rounds, || {
        "no cancel came in time".into()
    });
    report.check(late == 0, || {
        format!("{late} effects that left more than 1 s after their cancel")
    });
    report.note(format!(
        "rounds {rounds}, cancelled {cancelled}, too late to cancel {missed}, slowest end {} ms, last acceptance {accepted} ms after",
        slowest.as_millis()
    ));
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// One person marks a failed task as done while another orders it again: one of them is told 409, and the task's history
/// tells of the other's act alone.
pub async fn b38(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let (want, together) = (rig.size.of(1_000, 100), 8);
    let (marker, repeater) = (rig.koda().await?, rig.koda().await?);
    let (filters, _) = actions::newest(&rig.admin, None, want).await?;
    // Each message is refused once; ordered again it is taken.
    rig.simulator
        .script(json!([{
            "operation": "TaitemenetluseMuutmineTa", "times_per_number": 1,
            "act": {"refuse": {"code": "101", "text": "Toimikut ei saa praegu muuta."}}
        }]))
        .await?;
    rig.start_workers(2, &[]).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&marker, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    Watch::new(&marker, &action)
        .finish(rig, Duration::from_secs(300))
        .await?;
    let failed: Vec<i64> = sqlx::query_scalar(
        "select id from jobs where bulk_action_id = $1 and state = 'failed' order by id",
    )
    .bind(action.id)
    .fetch_all(&rig.admin)
    .await?;
    report.check(i64::try_from(failed.len())? == action.total, || {
        format!("{} of {} tasks failed", failed.len(), action.total)
    });
    let (mut marked, mut repeated) = (Vec::new(), Vec::new());
    for some in failed.chunks(together) {
        let mut races = Vec::new();
        for task in some {
            // Either may be a moment later.
            let (first, second) = (
                rig.moment(Duration::from_millis(4)),
                rig.moment(Duration::from_millis(4)),
            );
            races.push(race(&marker, &repeater, *task, first, second));
        }
        for outcome in futures::future::join_all(races).await {
            match outcome? {
                (task, 200, 409) => marked.push(task),
                (task, 409, 200) => repeated.push(task),
                (task, done, again) => report.wrong.push(format!(
                    "task {task}: marking it was answered {done}, ordering it again {again}"
                )),
            }
        }
    }
    report.note(format!(
        "{} races: marked done {}, run again {}",
        failed.len(),
        marked.len(),
        repeated.len()
    ));
    report.check(!marked.is_empty() && !repeated.is_empty(), || {
        "one side won every race".into()
    });
    let mut watch = Watch::new(&marker, &action);
    watch.finish(rig, Duration::from_secs(300)).await?;
    for (won, what, runs) in [(&marked, "mark_done", 1), (&repeated, "retry", 2)] {
        let as_told: i64 = sqlx::query_scalar(
            "select count(*) from jobs j where id = any($1) and runs = $3 and state in ('ok', 'warning')
             and (select array_agg(action) from audit
                  where job_id = j.id and action in ('mark_done', 'retry')) = array[$2]",
        )
        .bind(won)
        .bind(what)
        .bind(runs)
        .fetch_one(&rig.admin)
        .await?;
        report.check(usize::try_from(as_told)? == won.len(), || {
            format!(
                "{what}: {as_told} of {} tasks are as their history says",
                won.len()
            )
        });
    }
    let effects = rig.simulator.effects(stretch.effects_after()).await?.len();
    report.check(effects == repeated.len(), || {
        format!(
            "{effects} effects of {} tasks that ran again",
            repeated.len()
        )
    });
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// Both calls at once, each after its own moment; the task and both statuses.
async fn race(
    marker: &Session,
    repeater: &Session,
    task: i64,
    first: Duration,
    second: Duration,
) -> Result<(i64, u16, u16)> {
    let path = format!("/v2/bulk_action_tasks/{task}");
    let mark = async {
        tokio::time::sleep(first).await;
        let body = json!({"status": 2, "reason": "Registris käsitsi tehtud."});
        marker.put(&path, Some(body)).await
    };
    let repeat = async {
        tokio::time::sleep(second).await;
        repeater.put(&format!("{path}/retry"), None).await
    };
    let (mark, repeat) = futures::join!(mark, repeat);
    Ok((task, mark?.status, repeat?.status))
}
