//! State registers as the queue sees them: one breaker and one rate each, in one row for all processes.
//! Open at 20 calls and 60 % technical failures in 30 s; then one probe each 15 s, until one is answered.
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

use crate::actor::{Actor, Allowed, Role};
use crate::audit::{self, By, Entry};
use crate::{Error, Result};

/// The national enforcement register.
pub const TARN: &str = "tarn";

/// How a register stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It answers.
    Closed,
    /// No calls but probes.
    Open,
    /// It answers again; its rate still rises.
    Recovering,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::Recovering => "recovering",
        }
    }
}

/// A register and its last five minutes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    pub name: String,
    pub state: State,
    /// While it is open.
    pub opened_at: Option<DateTime<Utc>>,
    pub next_probe_at: Option<DateTime<Utc>>,
    /// Let through since it last opened.
    pub probes: i32,
    /// A stable Estonian sentence.
    pub last_error: Option<String>,
    pub last_error_at: Option<DateTime<Utc>>,
    pub last_ok_at: Option<DateTime<Utc>>,
    /// The setting.
    pub rate_per_second: i32,
    /// Now: nothing while it is open.
    pub allowed_per_second: i32,
    pub calls: i64,
    /// Technical ones.
    pub failures: i64,
    pub mean_ms: Option<i64>,
}

impl Register {
    pub fn is_open(&self) -> bool {
        self.state == State::Open
    }
}

const ANSWERS: &str = "Register vastab, proovida pole vaja.";

/// Whether this actor may have a register tried at once.
pub fn probe_right(actor: &Actor, register: &Register) -> Allowed {
    let reason = match () {
        () if actor.role == Role::Kt => Some("Registrit proovib koda või arendaja."),
        () if !register.is_open() => Some(ANSWERS),
        () => None,
    };
    Allowed {
        name: "probe",
        reason,
    }
}

/// All registers by name.
pub async fn list(conn: &mut PgConnection) -> Result<Vec<Register>> {
    let rows = sqlx::query!(
        r#"select r.*, o.calls as "calls!", o.failures as "failures!", o.ms as "ms!",
                  register_rate(r.rate_per_second, r.closed_at, clock_timestamp()) as "allowed!"
           from registers r cross join lateral (
             select coalesce(sum(calls), 0)::bigint as calls, coalesce(sum(failures), 0)::bigint as failures,
                    coalesce(sum(ms), 0)::bigint as ms
             from register_outcomes where register = r.name and at > clock_timestamp() - interval '5 min') o
           order by r.name"#
    )
    .fetch_all(conn)
    .await?;
    let registers = rows.into_iter().map(|row| {
        let open = row.state == "open";
        let allowed = if open { 0 } else { row.allowed };
        Register {
            name: row.name,
            state: match open {
                true => State::Open,
                false if allowed < row.rate_per_second => State::Recovering,
                false => State::Closed,
            },
            opened_at: row.opened_at,
            next_probe_at: row.next_probe_at,
            probes: row.probes,
            last_error: row.last_error,
            last_error_at: row.last_error_at,
            last_ok_at: row.last_ok_at,
            rate_per_second: row.rate_per_second,
            allowed_per_second: allowed,
            calls: row.calls,
            failures: row.failures,
            mean_ms: (row.calls > 0).then(|| row.ms / row.calls.max(1)),
        }
    });
    Ok(registers.collect())
}

/// Lets the next call of an open register be a probe at once. Refused (`not_open`) otherwise. Under the scope `Queue`.
pub async fn probe_now(conn: &mut PgConnection, actor: &Actor, register: &str) -> Result<()> {
    match actor.role {
        Role::Koda | Role::Dev => {}
        Role::Kt => return Err(Error::Forbidden),
    }
    let row = sqlx::query!(
        "select state, next_probe_at, probes from registers where name = $1 for update",
        register
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::NotFound)?;
    if row.state != "open" {
        return Err(Error::refused("not_open", ANSWERS));
    }
    sqlx::query!(
        "update registers set next_probe_at = clock_timestamp() where name = $1",
        register
    )
    .execute(&mut *conn)
    .await?;
    let entry = Entry {
        tenant_id: actor.tenant_id.0,
        action: "probe",
        object_class: "Register",
        before: Some(
            json!({"register": register, "nextProbeAt": row.next_probe_at, "probes": row.probes}),
        ),
        ..Entry::default()
    };
    audit::write(conn, &By::from(actor), entry).await
}

/// What a process's calls to a register came to since it last told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcomes {
    pub calls: i32,
    /// Technical ones.
    pub failures: i32,
    pub ms: i64,
    /// Of the last failure, as it is shown.
    pub last_error: Option<String>,
}

/// Adds up what came of calls and opens the breaker when too many failed. True when it is open.
pub async fn note(conn: &mut PgConnection, register: &str, outcomes: &Outcomes) -> Result<bool> {
    // One statement, so that what could not be written is not half there. It does not see its own insert.
    let open = sqlx::query_scalar!(
        r#"with added as (
             insert into register_outcomes as o (register, at, calls, failures, ms)
             select name, greatest(date_bin('10 s', clock_timestamp(), 'epoch'), closed_at), $2, $3, $5
             from registers where name = $1
             on conflict (register, at) do update
             set calls = o.calls + excluded.calls, failures = o.failures + excluded.failures, ms = o.ms + excluded.ms
           )
           update registers r
           set last_ok_at = case when $2::integer > $3::integer then clock_timestamp() else r.last_ok_at end,
               last_error_at = case when $3 > 0 then clock_timestamp() else r.last_error_at end,
               last_error = case when $3 > 0 then coalesce($4::text, r.last_error) else r.last_error end,
               (state, opened_at, next_probe_at, probes, closed_at) = (
                 select case when opens then 'open' else r.state end,
                        case when opens then clock_timestamp() else r.opened_at end,
                        case when opens then clock_timestamp() + interval '15 s' else r.next_probe_at end,
                        case when opens then 0 else r.probes end,
                        case when opens then null else r.closed_at end
                 from (select r.state = 'closed' and calls >= 20 and failures >= 0.6 * calls as opens
                       from (select coalesce(sum(calls), 0) + $2 as calls, coalesce(sum(failures), 0) + $3 as failures
                             from register_outcomes
                             where register = r.name
                               and at >= greatest(clock_timestamp() - interval '30 s', r.closed_at)) lately) o)
           where r.name = $1
           returning r.state = 'open' as "open!""#,
        register,
        outcomes.calls,
        outcomes.failures,
        outcomes.last_error,
        outcomes.ms,
    )
    .fetch_optional(conn)
    .await?;
    open.ok_or(Error::NotFound)
}

/// What a process gets that asks for calls to a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// So many calls of the shared rate, the first after `wait`, then one each `every`.
    Slots {
        count: u32,
        wait: Duration,
        every: Duration,
    },
    /// The rate is spent: a call would have to wait so long.
    Spent(Duration),
    /// It is open, and the one call that may go now is the asker's.
    Probe,
    /// It is open; when the next probe goes.
    Open(Duration),
}

/// Takes up to `wanted` slots of the rate, no more than 100 ms of it, or the probe that is due. One statement, so that no two
/// processes are given the same.
pub async fn slots(conn: &mut PgConnection, register: &str, wanted: u32) -> Result<Turn> {
    let row = sqlx::query!(
        r#"with held as materialized (
             select * from registers where name = $1 for update
           ), timed as materialized (
             -- After the lock, which may have taken its time.
             select h.*, clock_timestamp() as now from held h
           ), rated as materialized (
             select t.*, register_rate(rate_per_second, closed_at, now) as rate, greatest(slot_at, now) as first from timed t
           ), turn as materialized (
             select name, now, next_probe_at, slot_at, first, least($2, greatest(1, rate / 10)) as count,
                    interval '1 s' / rate as every,
                    case when state = 'open' and next_probe_at <= now then 'probe'
                         when state = 'open' then 'open'
                         when slot_at > now + interval '250 ms' then 'spent'
                         else 'slots' end as verdict
             from rated
           ), taken as (
             update registers r
             set probes = r.probes + (t.verdict = 'probe')::int,
                 next_probe_at = case when t.verdict = 'probe' then t.now + interval '15 s' else r.next_probe_at end,
                 slot_at = case when t.verdict = 'slots' then t.first + t.count * t.every else r.slot_at end
             from turn t
             where r.name = t.name and t.verdict in ('probe', 'slots')
           )
           select verdict as "verdict!", count as "count!", extract(epoch from every)::float8 as "every!",
                  extract(epoch from case verdict when 'open' then next_probe_at else first end - now)::float8 as "wait!"
           from turn"#,
        register,
        i32::try_from(wanted).unwrap_or(i32::MAX).max(1),
    )
    .fetch_optional(conn)
    .await?
    .ok_or(Error::NotFound)?;
    let wait = Duration::try_from_secs_f64(row.wait).unwrap_or_default();
    Ok(match row.verdict.as_str() {
        "probe" => Turn::Probe,
        "open" => Turn::Open(wait),
        "spent" => Turn::Spent(wait),
        _ => Turn::Slots {
            count: u32::try_from(row.count).unwrap_or(1),
            wait,
            every: Duration::try_from_secs_f64(row.every).unwrap_or_default(),
        },
    })
}

/// A probe was answered: calls go again, few at first. False when it was not open any more.
pub async fn close(conn: &mut PgConnection, register: &str) -> Result<bool> {
    let done = sqlx::query!(
        "update registers
         set state = 'closed', closed_at = clock_timestamp(), slot_at = clock_timestamp(), last_ok_at = clock_timestamp(),
             opened_at = null, next_probe_at = null
         where name = $1 and state = 'open'",
        register
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Whoever took the probe had nothing to call: another may.
pub async fn return_probe(conn: &mut PgConnection, register: &str) -> Result<()> {
    sqlx::query!(
        "update registers set next_probe_at = clock_timestamp(), probes = greatest(0, probes - 1)
         where name = $1 and state = 'open'",
        register
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// What a register lets the dispatcher hand out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    PerSecond(i32),
    /// One job, to try it.
    Probe,
    Nothing,
}

/// The flow of each register.
pub async fn flows(conn: &mut PgConnection) -> Result<Vec<(String, Flow)>> {
    let rows = sqlx::query!(
        r#"select name, state = 'open' as "open!", coalesce(next_probe_at <= clock_timestamp(), false) as "due!",
                  register_rate(rate_per_second, closed_at, clock_timestamp()) as "rate!"
           from registers"#
    )
    .fetch_all(conn)
    .await?;
    let flow = |open, due, rate| match (open, due) {
        (false, _) => Flow::PerSecond(rate),
        (true, true) => Flow::Probe,
        (true, false) => Flow::Nothing,
    };
    Ok(rows
        .into_iter()
        .map(|row| (row.name, flow(row.open, row.due, row.rate)))
        .collect())
}

/// Outcomes are kept for an hour.
pub async fn forget(conn: &mut PgConnection) -> Result<()> {
    sqlx::query!("delete from register_outcomes where at < now() - interval '1 h'")
        .execute(conn)
        .await?;
    Ok(())
}
