//! Each minute: every rule against the figures; an alert opens once, is told once, and recovers once, whoever evaluates.
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{Connection, PgConnection};

use super::episodes::{Change, Limit, Walk};
use super::rules::{Subject, Watched};
use super::series;
use super::tell::{Word, tell};
use crate::Result;
use crate::clock::start_of_minute;
use crate::ids::{AlertId, AlertRuleId, TenantId};
use crate::jobs::Queue;

/// Minutes before those that a rule asks for, so that one that held long ago is seen to its end.
const BEFORE: i64 = 10;
/// Older figures decide nothing: nobody has looked since.
const STALE: TimeDelta = TimeDelta::minutes(5);

/// What an evaluation came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evaluated {
    pub rules: usize,
    pub fired: usize,
    pub recovered: usize,
    /// Rules that could not be evaluated; the others were.
    pub failed: usize,
}

/// A rule with its open alert.
pub(super) struct Rule {
    pub id: AlertRuleId,
    pub watched: Watched,
    pub limit: Limit,
    pub silenced: bool,
    pub webhook_url: Option<String>,
    open: Option<Open>,
}

struct Open {
    id: AlertId,
    fired_at: DateTime<Utc>,
    peak: i32,
    told: bool,
}

/// Evaluates all rules, in the caller's transaction under the scope `Queue`.
pub async fn evaluate(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<Evaluated> {
    let rules = rules(conn, now).await?;
    let mut came = Evaluated {
        rules: rules.len(),
        ..Evaluated::default()
    };
    for rule in &rules {
        // One that cannot be evaluated keeps the others from nothing.
        let mut own = conn.begin().await?;
        match judge(&mut own, rule, now).await {
            Ok(change) => {
                own.commit().await?;
                came.fired += usize::from(change.fired);
                came.recovered += usize::from(change.recovered);
            }
            Err(error) => {
                own.rollback().await?;
                tracing::error!(error = %error, alert_rule.id = rule.id.0, "a rule could not be evaluated, the others were");
                came.failed += 1;
            }
        }
    }
    Ok(came)
}

/// What an evaluation changed of a rule.
#[derive(Default)]
struct Changed {
    fired: bool,
    recovered: bool,
}

async fn judge(conn: &mut PgConnection, rule: &Rule, now: DateTime<Utc>) -> Result<Changed> {
    if !rule.silenced {
        tell_what_is_over(conn, rule, now).await?;
    }
    let to = start_of_minute(now);
    let from = to - TimeDelta::minutes(rule.limit.minutes + BEFORE);
    let samples = series::read(conn, &rule.watched, from, to).await?;
    let Some(last) = samples.last().filter(|last| now - last.minute <= STALE) else {
        return Ok(Changed::default());
    };
    let since = rule
        .open
        .as_ref()
        .map(|open| start_of_minute(open.fired_at));
    let mut walk = rule.open.as_ref().map_or_else(Walk::default, |open| {
        Walk::open(open.fired_at, open.peak.into())
    });
    let mut changed = Changed::default();
    for sample in samples
        .iter()
        .filter(|one| since.is_none_or(|since| one.minute >= since))
    {
        if let Change::Recovered(_) = walk.step(*sample, rule.limit) {
            changed.recovered = rule.open.is_some();
        }
    }
    remember(conn, rule.id, last.value, walk.breached_since).await?;
    if let Some(open) = &rule.open {
        if changed.recovered {
            recover(conn, rule, open, now).await?;
        } else {
            go_on(conn, rule, open, &walk, now).await?;
        }
    }
    if walk.fired.is_some() && (rule.open.is_none() || changed.recovered) {
        fire(conn, rule, &walk, now).await?;
        changed.fired = true;
    }
    Ok(changed)
}

async fn rules(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<Vec<Rule>> {
    // The lock comes alone: only the next statement's snapshot shows what a change wrote before it let go.
    let ids = sqlx::query_scalar!(
        "select id from alert_rules where enabled and deleted_at is null order by id for update"
    )
    .fetch_all(&mut *conn)
    .await?;
    let rows = sqlx::query!(
        r#"select r.id, r.measure, r.queue as "queue: Queue", r.register, r.cron, r.bureau_id, r.threshold, r.minutes,
                  coalesce(r.silenced_until > $1, false) as "silenced!", r.webhook_url,
                  a.id as "alert?", a.fired_at as "fired_at?", a.peak as "peak?", a.told_at as "told_at?"
           from alert_rules r left join alerts a on a.rule_id = r.id and a.recovered_at is null
           where r.id = any($2) order by r.id"#,
        now,
        &ids,
    )
    .fetch_all(conn)
    .await?;
    let rules = rows.into_iter().filter_map(|row| {
        let open = row.alert.zip(row.fired_at).zip(row.peak);
        Some(Rule {
            id: AlertRuleId(row.id),
            watched: Watched {
                subject: Subject::of(&row.measure, row.queue, row.register, row.cron)?,
                bureau: row.bureau_id.map(TenantId),
            },
            limit: Limit {
                threshold: row.threshold.into(),
                minutes: row.minutes.into(),
            },
            silenced: row.silenced,
            webhook_url: row.webhook_url,
            open: open.map(|((id, fired_at), peak)| Open {
                id: AlertId(id),
                fired_at,
                peak,
                told: row.told_at.is_some(),
            }),
        })
    });
    Ok(rules.collect())
}

async fn remember(
    conn: &mut PgConnection,
    rule: AlertRuleId,
    value: i64,
    since: Option<DateTime<Utc>>,
) -> Result<()> {
    // What began before the minutes that were read began when it was first seen.
    sqlx::query!(
        "update alert_rules set value = $2, breached_since = case when $3::timestamptz is null then null else least(breached_since, $3) end
         where id = $1",
        rule.0,
        clamped(value),
        since,
    )
    .execute(conn)
    .await?;
    Ok(())
}

async fn fire(conn: &mut PgConnection, rule: &Rule, walk: &Walk, now: DateTime<Utc>) -> Result<()> {
    let id = sqlx::query_scalar!(
        "insert into alerts (rule_id, fired_at, peak, told_at, measure, queue, register, cron, bureau_id, threshold, minutes)
         select id, $2::timestamptz, $3, case when $4 then null else $2::timestamptz end, measure, queue, register, cron, bureau_id,
                threshold, minutes from alert_rules where id = $1
         on conflict (rule_id) where recovered_at is null do nothing returning id",
        rule.id.0,
        now,
        clamped(walk.peak),
        rule.silenced,
    )
    .fetch_optional(&mut *conn)
    .await?;
    match id {
        Some(id) if !rule.silenced => {
            let word = Word {
                alert: AlertId(id),
                peak: walk.peak,
                at: now,
                since: None,
            };
            tell(conn, rule, &word).await
        }
        Some(_) | None => Ok(()),
    }
}

/// An alert that holds: its peak, and, when a silence has ended meanwhile, the word about it.
async fn go_on(
    conn: &mut PgConnection,
    rule: &Rule,
    open: &Open,
    walk: &Walk,
    now: DateTime<Utc>,
) -> Result<()> {
    let tells = !open.told && !rule.silenced;
    sqlx::query!(
        "update alerts set peak = greatest(peak, $2), told_at = case when $3 then $4 else told_at end where id = $1",
        open.id.0,
        clamped(walk.peak),
        tells,
        now,
    )
    .execute(&mut *conn)
    .await?;
    if tells {
        let word = Word {
            alert: open.id,
            peak: walk.peak,
            at: open.fired_at,
            since: None,
        };
        tell(conn, rule, &word).await?;
    }
    Ok(())
}

async fn recover(
    conn: &mut PgConnection,
    rule: &Rule,
    open: &Open,
    now: DateTime<Utc>,
) -> Result<()> {
    // Of what nobody was told, nobody is told the end.
    sqlx::query!(
        "update alerts set recovered_at = $2::timestamptz, over_told_at = case when told_at is null then $2::timestamptz end where id = $1",
        open.id.0,
        now
    )
    .execute(&mut *conn)
    .await?;
    if rule.silenced {
        return Ok(());
    }
    tell_what_is_over(conn, rule, now).await
}

/// Tells the end of alerts that were told: at once, or when a silence has ended meanwhile.
async fn tell_what_is_over(conn: &mut PgConnection, rule: &Rule, now: DateTime<Utc>) -> Result<()> {
    let over = sqlx::query!(
        r#"update alerts set over_told_at = $2 where rule_id = $1 and recovered_at is not null and over_told_at is null
           returning id, peak, fired_at, recovered_at as "recovered_at!""#,
        rule.id.0,
        now,
    )
    .fetch_all(&mut *conn)
    .await?;
    for alert in over {
        let word = Word {
            alert: AlertId(alert.id),
            peak: alert.peak.into(),
            at: alert.recovered_at,
            since: Some(alert.fired_at),
        };
        tell(conn, rule, &word).await?;
    }
    Ok(())
}

fn clamped(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(if value > 0 { i32::MAX } else { i32::MIN })
}
