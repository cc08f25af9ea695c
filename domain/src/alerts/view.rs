//! Rules and alerts as they are shown, and what a rule would have done last week.
use std::time::Duration;

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use sqlx::PgConnection;

use super::episodes::{Episode, Limit, Sample, episodes};
use super::rules::{Draft, Subject, Watched};
use super::series;
use crate::actor::Person;
use crate::bureaus::BureauName;
use crate::clock::start_of_minute;
use crate::ids::{AlertId, AlertRuleId, TenantId, UserId};
use crate::jobs::Queue;
use crate::page::{Listed, Page};
use crate::{Error, Result};

/// What a rule watches, in all its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    pub subject: Subject,
    pub bureau: Option<BureauName>,
    pub threshold: i32,
    pub minutes: i32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleView {
    pub id: AlertRuleId,
    pub watch: Watch,
    pub enabled: bool,
    pub silenced_until: Option<DateTime<Utc>>,
    pub webhook_url: Option<String>,
    pub value: Option<i32>,
    pub breached_since: Option<DateTime<Utc>>,
    /// The open alert.
    pub alert: Option<(AlertId, DateTime<Utc>)>,
    pub created_by: Person,
    pub created_at: DateTime<Utc>,
    pub version: i32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertView {
    pub id: AlertId,
    pub rule: AlertRuleId,
    pub watch: Watch,
    pub fired_at: DateTime<Utc>,
    pub recovered_at: Option<DateTime<Utc>>,
    pub peak: i32,
    /// Nobody was told.
    pub silenced: bool,
}

/// All rules, or one of them; those that fire first.
pub async fn rules(
    conn: &mut PgConnection,
    one: Option<AlertRuleId>,
    now: DateTime<Utc>,
) -> Result<Vec<RuleView>> {
    let rows = sqlx::query!(
        r#"select r.id, r.measure, r.queue as "queue: Queue", r.register, r.cron, r.threshold, r.minutes, r.enabled,
                  case when r.silenced_until > $2 then r.silenced_until end as silenced_until, r.webhook_url, r.value,
                  r.breached_since, r.created_at, r.version, u.id as user_id, u.name as user_name,
                  b.id as "bureau_id?", b.code as "bureau_code?", b.name as "bureau_name?",
                  a.id as "alert?", a.fired_at as "fired_at?"
           from alert_rules r join users u on u.id = r.created_by left join bureaus b on b.id = r.bureau_id
           left join alerts a on a.rule_id = r.id and a.recovered_at is null
           where r.deleted_at is null and ($1::bigint is null or r.id = $1)
           order by a.id is null, r.id"#,
        one.map(|id| id.0),
        now,
    )
    .fetch_all(conn)
    .await?;
    let rules = rows.into_iter().filter_map(|row| {
        Some(RuleView {
            id: AlertRuleId(row.id),
            watch: Watch {
                subject: Subject::of(&row.measure, row.queue, row.register, row.cron)?,
                bureau: bureau(row.bureau_id, row.bureau_code, row.bureau_name),
                threshold: row.threshold,
                minutes: row.minutes,
            },
            enabled: row.enabled,
            silenced_until: row.silenced_until,
            webhook_url: row.webhook_url,
            value: row.value,
            breached_since: row.breached_since,
            alert: row.alert.map(AlertId).zip(row.fired_at),
            created_by: Person {
                id: UserId(row.user_id),
                name: row.user_name,
            },
            created_at: row.created_at,
            version: row.version,
        })
    });
    Ok(rules.collect())
}

/// One rule; not found when it was deleted.
pub async fn rule(
    conn: &mut PgConnection,
    id: AlertRuleId,
    now: DateTime<Utc>,
) -> Result<RuleView> {
    rules(conn, Some(id), now)
        .await?
        .pop()
        .ok_or(Error::NotFound)
}

/// Which alerts are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Firing,
    All,
}

/// Alerts, newest first.
pub async fn list(conn: &mut PgConnection, which: Which, page: Page) -> Result<Listed<AlertView>> {
    let firing = which == Which::Firing;
    let rows = sqlx::query!(
        r#"select a.id, a.rule_id, a.fired_at, a.recovered_at, a.peak, a.told_at is null as "silenced!",
                  a.measure, a.queue as "queue: Queue", a.register, a.cron, a.threshold, a.minutes,
                  b.id as "bureau_id?", b.code as "bureau_code?", b.name as "bureau_name?"
           from alerts a left join bureaus b on b.id = a.bureau_id
           where not $1 or a.recovered_at is null
           order by a.id desc limit $2 offset $3"#,
        firing,
        page.limit,
        page.offset,
    )
    .fetch_all(&mut *conn)
    .await?;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from alerts where not $1 or recovered_at is null"#,
        firing
    )
    .fetch_one(conn)
    .await?;
    let alerts = rows.into_iter().filter_map(|row| {
        Some(AlertView {
            id: AlertId(row.id),
            rule: AlertRuleId(row.rule_id),
            watch: Watch {
                subject: Subject::of(&row.measure, row.queue, row.register, row.cron)?,
                bureau: bureau(row.bureau_id, row.bureau_code, row.bureau_name),
                threshold: row.threshold,
                minutes: row.minutes,
            },
            fired_at: row.fired_at,
            recovered_at: row.recovered_at,
            peak: row.peak,
            silenced: row.silenced,
        })
    });
    Ok(Listed {
        rows: alerts.collect(),
        total,
    })
}

/// How many fire now, by measure; none of those of which none does.
pub async fn firing(conn: &mut PgConnection) -> Result<Vec<(String, i64)>> {
    let rows = sqlx::query!(
        r#"select measure, count(*) as "count!" from alerts where recovered_at is null group by 1"#
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.measure, row.count))
        .collect())
}

fn bureau(id: Option<i64>, code: Option<String>, name: Option<String>) -> Option<BureauName> {
    Some(BureauName {
        id: TenantId(id?),
        code: code?,
        name: name?,
    })
}

/// What a rule would have done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The first minute that is known.
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
    /// Oldest first.
    pub episodes: Vec<Episode>,
    pub value: Option<i64>,
    /// The highest of each hour.
    pub hours: Vec<Sample>,
}

/// For how long the figures of a week may be read.
const PREVIEW: Duration = Duration::from_secs(5);

/// The rule over the last seven days.
pub async fn preview(
    conn: &mut PgConnection,
    draft: &Draft,
    now: DateTime<Utc>,
) -> Result<Preview> {
    let (watched, limit): (Watched, Limit) = draft.check(conn).await?;
    let to = start_of_minute(now);
    let from = to - TimeDelta::days(7);
    crate::db::limit(conn, PREVIEW).await?;
    let samples = series::read(conn, &watched, from, to).await?;
    let mut hours: Vec<Sample> = Vec::new();
    for sample in &samples {
        let hour = sample
            .minute
            .duration_trunc(TimeDelta::hours(1))
            .unwrap_or(sample.minute);
        match hours.last_mut().filter(|last| last.minute == hour) {
            Some(last) => last.value = last.value.max(sample.value),
            None => hours.push(Sample {
                minute: hour,
                value: sample.value,
            }),
        }
    }
    Ok(Preview {
        from: samples.first().map_or(to, |first| first.minute),
        to,
        episodes: episodes(&samples, limit),
        value: samples.last().map(|last| last.value),
        hours,
    })
}

/// The console's page that shows what an alert is about, with its filter.
pub fn link(subject: &Subject, bureau: Option<&str>) -> String {
    let jobs = |queue: Queue, states: &str| {
        let bureau = bureau
            .map(|code| format!("&bureau=%22{code}%22"))
            .unwrap_or_default();
        format!(
            "/jobs?queue=%5B%22{}%22%5D&state=%5B{states}%5D{bureau}",
            queue.as_str()
        )
    };
    match subject {
        Subject::OldestWaiting(queue) | Subject::BacklogGrowing(queue) => {
            jobs(*queue, "%22queued%22%2C%22dispatched%22")
        }
        Subject::FailedShare(queue) => jobs(*queue, "%22failed%22"),
        Subject::NoConsumers(_) => "/workers".into(),
        Subject::BreakerOpen(_) => "/queues".into(),
        Subject::CronLate(_) => match subject.cron() {
            Some(cron) => format!("/crons/{}", cron.id),
            None => "/crons".into(),
        },
    }
}
