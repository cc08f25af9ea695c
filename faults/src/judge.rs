//! What must hold after every fault: invariants I1 to I9, read from the rows and from the simulator's log of effects.
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use anyhow::Result;
use sqlx::PgPool;

use crate::actions::Action;
use crate::rig::Rig;

/// What a scenario found.
#[derive(Debug, Default)]
pub struct Report {
    pub tasks: i64,
    pub notes: Vec<String>,
    pub recovery: Option<Duration>,
    pub wrong: Vec<String>,
}

impl Report {
    pub fn check(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(otherwise());
        }
    }

    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Keeps the longest recovery and holds it against its bar.
    pub fn recovered(&mut self, after: Duration, most: Duration) {
        self.recovery = Some(self.recovery.map_or(after, |known| known.max(after)));
        self.check(after <= most, || {
            format!(
                "recovered after {} s instead of {} s",
                after.as_secs(),
                most.as_secs()
            )
        });
    }

    /// Holds the time of the whole batch against 1.5 times the fault-free time and a minute.
    pub fn done(&mut self, took: Duration, fault_free: Duration) {
        self.note(format!(
            "done in {} s, fault-free {} s",
            took.as_secs(),
            fault_free.as_secs()
        ));
        let most = fault_free * 3 / 2 + Duration::from_secs(60);
        self.check(took <= most, || {
            format!(
                "done after {} s instead of {} s",
                took.as_secs(),
                most.as_secs()
            )
        });
    }
}

/// The part of the log and of the rows that one scenario answers for.
pub struct Stretch {
    actions: Vec<Action>,
    effects_after: u64,
    reused_before: u64,
    money: i64,
}

impl Stretch {
    pub async fn begin(rig: &Rig) -> Result<Self> {
        let (effects_after, reused_before) = rig.simulator.last().await?;
        Ok(Self {
            actions: Vec::new(),
            effects_after,
            reused_before,
            money: money(&rig.admin).await?,
        })
    }

    /// The last effect before it.
    pub fn effects_after(&self) -> u64 {
        self.effects_after
    }

    pub fn add(&mut self, action: &Action) {
        self.actions.push(action.clone());
    }

    /// Adds what does not hold to the report.
    pub async fn judge(&self, rig: &Rig, report: &mut Report) -> Result<()> {
        let ids: Vec<i64> = self.actions.iter().map(|action| action.id).collect();
        report.tasks += self.actions.iter().map(|action| action.total).sum::<i64>();
        for (text, sql) in COUNTED {
            let found = count(&rig.admin, sql, &ids).await?;
            report.check(found == 0, || format!("{text}: {found}"));
        }
        self.judge_effects(rig, report).await?;
        let moved = money(&rig.admin).await?;
        report.check(moved == self.money, || {
            format!("I9 sums moved by {} cents", moved - self.money)
        });
        let idle = rig.take_idle();
        report.check(idle.is_empty(), || {
            format!("I6 idle in transaction, e.g. {}", idle[0])
        });
        let faults = rig.site.take_faults();
        report.check(faults.is_empty(), || {
            format!("I8 {} answers with 5xx, e.g. {}", faults.len(), faults[0])
        });
        if !rig.workers.is_empty() {
            keys_at_rest(rig, report).await?;
        }
        Ok(())
    }

    /// I2: the ledger's message ids against what the simulator accepted.
    async fn judge_effects(&self, rig: &Rig, report: &mut Report) -> Result<()> {
        let ids: Vec<i64> = self
            .actions
            .iter()
            .filter(|action| action.kind == crate::actions::SYNC_TO_REGISTER)
            .map(|action| action.id)
            .collect();
        let (_, reused) = rig.simulator.last().await?;
        report.check(reused == self.reused_before, || {
            format!(
                "I2 {} message ids came with two contents",
                reused - self.reused_before
            )
        });
        if ids.is_empty() {
            return Ok(());
        }
        let effects = rig.simulator.effects(self.effects_after).await?;
        let rows: Vec<(String, i64)> = sqlx::query_as(
            "select o.message_id::text, o.job_id
             from outward_calls o join jobs j on j.id = o.job_id where j.bulk_action_id = any($1)",
        )
        .bind(&ids)
        .fetch_all(&rig.admin)
        .await?;
        let ledger: HashMap<&str, i64> = rows
            .iter()
            .map(|(message, job)| (message.as_str(), *job))
            .collect();
        let mut by_job: HashMap<i64, u32> = HashMap::new();
        let (mut foreign, mut resent) = (0, 0u32);
        for effect in &effects {
            resent += effect.count - 1;
            match ledger.get(effect.message_id.as_str()) {
                Some(job) => *by_job.entry(*job).or_default() += 1,
                None => foreign += 1,
            }
        }
        let double = by_job.values().filter(|count| **count > 1).count();
        report.check(foreign == 0, || {
            format!("I2 {foreign} effects that no ledger row knows")
        });
        report.check(double == 0, || {
            format!("I2 {double} tasks with two effects")
        });
        let accepted: HashSet<i64> = by_job.keys().copied().collect();
        let ok: Vec<i64> = sqlx::query_scalar(
            "select id from jobs j where bulk_action_id = any($1) and state = 'ok'
             and not exists (select from audit where job_id = j.id and action = 'mark_done')",
        )
        .bind(&ids)
        .fetch_all(&rig.admin)
        .await?;
        let without = ok.iter().filter(|job| !accepted.contains(job)).count();
        report.check(without == 0, || {
            format!("I2 {without} ok tasks without an effect")
        });
        report.note(format!("effects {}, re-sent {resent}", effects.len()));
        Ok(())
    }
}

/// What must be zero, over the actions `$1`.
const COUNTED: &[(&str, &str)] = &[
    (
        "I1 tasks without an end",
        "select count(*) from jobs where bulk_action_id = any($1) and state in ('queued', 'dispatched', 'running')",
    ),
    (
        "I1 leases over for more than 60 s",
        "select count(*) from jobs where $1::bigint[] is not null and state in ('dispatched', 'running')
         and lease_until < clock_timestamp() - interval '60 s'",
    ),
    (
        "I1 actions with tasks lost or added",
        "select count(*) from bulk_actions a where id = any($1)
         and total <> (select count(*) from jobs where bulk_action_id = a.id)",
    ),
    (
        "I1 actions not closed",
        "select count(*) from bulk_actions where id = any($1) and (status = 1 or finished_at is null)",
    ),
    (
        // What a person ordered anew keeps its settled row under a negative number.
        "I2 ledger rows of one task and more than one intent",
        "select count(*) from (select o.job_id from outward_calls o join jobs j on j.id = o.job_id
         where j.bulk_action_id = any($1) and o.intent > 0 group by o.job_id having count(*) > 1) d",
    ),
    (
        "I4 runs without their attempt row",
        "select count(*) from jobs j where bulk_action_id = any($1)
         and runs <> (select count(*) from attempts where job_id = j.id)",
    ),
    (
        "I4 attempts that end before they start",
        "select count(*) from attempts a join jobs j on j.id = a.job_id
         where j.bulk_action_id = any($1) and a.finished_at < a.started_at",
    ),
    (
        "I4 tasks that changed a fee twice",
        "select count(*) from (select a.job_id from audit a join jobs j on j.id = a.job_id
         where j.bulk_action_id = any($1) and a.action in ('compute_issuer_fee', 'set_start_fee') group by a.job_id having count(*) > 1) d",
    ),
    (
        "I4 ok messages to the register without their audit row",
        "select count(*) from jobs j where bulk_action_id = any($1) and kind = 'SyncToRegister' and state = 'ok'
         and not exists (select from audit where job_id = j.id and (case_id = j.case_id or action = 'mark_done'))",
    ),
    (
        "I4 fees that are not what the history says",
        "select count(*) from (
           select distinct on (case_id, action) case_id, action, after from audit
           where case_id in (select case_id from jobs where bulk_action_id = any($1))
             and action in ('compute_issuer_fee', 'set_start_fee') order by case_id, action, id desc) a
         join cases c on c.id = a.case_id
         where case a.action when 'set_start_fee' then (a.after->>'start_fee')::bigint <> c.start_fee_cents
               else (a.after->>'issuer_fee')::bigint <> c.issuer_fee_cents end",
    ),
    (
        "I5 tasks of another bureau than their case",
        "select count(*) from jobs j join cases c on c.id = j.case_id
         where j.bulk_action_id = any($1) and j.tenant_id <> c.tenant_id",
    ),
    (
        "I9 failed tasks that changed a fee",
        "select count(*) from audit a join jobs j on j.id = a.job_id where j.bulk_action_id = any($1)
         and j.state in ('failed', 'cancelled') and a.action in ('compute_issuer_fee', 'set_start_fee')",
    ),
];

async fn count(admin: &PgPool, sql: &'static str, actions: &[i64]) -> Result<i64> {
    Ok(sqlx::query_scalar(sql)
        .bind(actions)
        .fetch_one(admin)
        .await?)
}

/// Sums that no task here may move.
async fn money(admin: &PgPool) -> Result<i64> {
    Ok(sqlx::query_scalar(
        "select sum(sum_received_cents + paid_to_claimant_cents + pre_payment_cents + enforcement_fee_cents)::bigint from cases",
    )
    .fetch_one(admin)
    .await?)
}

/// I7: finished ids leave Redis.
async fn keys_at_rest(rig: &Rig, report: &mut Report) -> Result<()> {
    let most = 50 + 3 * u64::try_from(rig.workers.len())?;
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let keys = rig.redis.keys().await?;
        if keys <= most {
            return Ok(());
        }
        if Instant::now() > until {
            report
                .wrong
                .push(format!("I7 {keys} keys in Redis at rest"));
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
