//! Rules: what is watched, of whom, above what and for how long; kept by the chamber and the operator.
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::episodes::Limit;
use crate::actor::{Actor, Allowed};
use crate::audit::{self, By, Entry};
use crate::ids::{AlertRuleId, TenantId};
use crate::jobs::Queue;
use crate::{Error, Result, Violation, crons, webhook};

/// What is measured, and of what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Minutes.
    OldestWaiting(Queue),
    /// Per cent.
    FailedShare(Queue),
    NoConsumers(Queue),
    /// A register's name.
    BreakerOpen(String),
    /// Minutes; a cron's name, or any.
    CronLate(Option<String>),
    /// Jobs.
    BacklogGrowing(Queue),
}

impl Subject {
    pub fn measure(&self) -> &'static str {
        match self {
            Self::OldestWaiting(_) => "oldestWaiting",
            Self::FailedShare(_) => "failedShare",
            Self::NoConsumers(_) => "noConsumers",
            Self::BreakerOpen(_) => "breakerOpen",
            Self::CronLate(_) => "cronLate",
            Self::BacklogGrowing(_) => "backlogGrowing",
        }
    }

    pub fn queue(&self) -> Option<Queue> {
        match self {
            Self::OldestWaiting(queue)
            | Self::FailedShare(queue)
            | Self::NoConsumers(queue)
            | Self::BacklogGrowing(queue) => Some(*queue),
            Self::BreakerOpen(_) | Self::CronLate(_) => None,
        }
    }

    pub fn register(&self) -> Option<&str> {
        match self {
            Self::BreakerOpen(register) => Some(register),
            _ => None,
        }
    }

    pub fn cron(&self) -> Option<&'static crons::Cron> {
        match self {
            Self::CronLate(Some(name)) => crons::by_name(name),
            _ => None,
        }
    }

    /// From a row; what no version of the code has written is none.
    pub(super) fn of(
        measure: &str,
        queue: Option<Queue>,
        register: Option<String>,
        cron: Option<String>,
    ) -> Option<Self> {
        Some(match measure {
            "oldestWaiting" => Self::OldestWaiting(queue?),
            "failedShare" => Self::FailedShare(queue?),
            "noConsumers" => Self::NoConsumers(queue?),
            "breakerOpen" => Self::BreakerOpen(register?),
            "cronLate" => Self::CronLate(cron),
            "backlogGrowing" => Self::BacklogGrowing(queue?),
            _ => return None,
        })
    }

    /// What a threshold may be; a measure that is yes or no has none but zero.
    fn range(&self) -> std::ops::RangeInclusive<i32> {
        match self {
            Self::OldestWaiting(_) | Self::CronLate(_) => 1..=10_080,
            Self::FailedShare(_) => 0..=99,
            Self::NoConsumers(_) | Self::BreakerOpen(_) => 0..=0,
            Self::BacklogGrowing(_) => 1..=1_000_000,
        }
    }
}

/// The names of all measures.
pub const MEASURES: [&str; 6] = [
    "oldestWaiting",
    "failedShare",
    "noConsumers",
    "breakerOpen",
    "cronLate",
    "backlogGrowing",
];

/// A subject within one bureau, or over all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    pub subject: Subject,
    pub bureau: Option<TenantId>,
}

/// A rule as a person writes it.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    pub measure: String,
    pub queue: Option<Queue>,
    pub register: Option<String>,
    /// A cron's id.
    pub cron: Option<i64>,
    pub bureau: Option<TenantId>,
    pub threshold: i32,
    pub minutes: i32,
    pub enabled: bool,
    pub webhook_url: Option<String>,
}

/// The most minutes that a rule waits before it fires.
const MOST_MINUTES: i32 = 1_440;

/// Rules that there may be: each is evaluated every minute.
const MOST: i64 = 200;

impl Draft {
    /// Judged against what there is; errors name the field.
    pub async fn check(&self, conn: &mut PgConnection) -> Result<(Watched, Limit)> {
        let mut wrong = Vec::new();
        let mut say = |path: &str, message: String| {
            wrong.push(Violation {
                path: path.to_owned(),
                message,
                code: None,
            });
        };
        let cron = match self.cron {
            None => None,
            Some(id) => match crons::by_id(id) {
                Ok(cron) => Some(cron.name.to_owned()),
                Err(_) => return Err(Error::invalid("cron", "Tundmatu ajastatud töö.")),
            },
        };
        let subject = Subject::of(&self.measure, self.queue, self.register.clone(), cron);
        let Some(subject) = subject else {
            let field = match self.measure.as_str() {
                "breakerOpen" => ("register", "Vali register."),
                "oldestWaiting" | "failedShare" | "noConsumers" | "backlogGrowing" => {
                    ("queue", "Vali järjekord.")
                }
                _ => ("measure", "Tundmatu näitaja."),
            };
            return Err(Error::invalid(field.0, field.1));
        };
        let foreign = [
            ("queue", self.queue.is_some() && subject.queue().is_none()),
            (
                "register",
                self.register.is_some() && subject.register().is_none(),
            ),
            ("cron", self.cron.is_some() && subject.cron().is_none()),
            ("bureau", self.bureau.is_some() && subject.queue().is_none()),
        ];
        for (field, _) in foreign.into_iter().filter(|(_, foreign)| *foreign) {
            say(field, "Sellel näitajal seda ei ole.".into());
        }
        let range = subject.range();
        if !range.contains(&self.threshold) {
            let (low, high) = (range.start(), range.end());
            say("threshold", format!("Lävi peab olema {low} kuni {high}."));
        }
        if !(0..=MOST_MINUTES).contains(&self.minutes) {
            say(
                "minutes",
                format!("Kestus peab olema 0 kuni {MOST_MINUTES} minutit."),
            );
        }
        let known = sqlx::query!(
            r#"select ($1::text is null or exists (select from registers where name = $1)) as "register!",
                      ($2::bigint is null or exists (select from bureaus where id = $2 and not is_chamber)) as "bureau!""#,
            subject.register(),
            self.bureau.map(|id| id.0),
        )
        .fetch_one(conn)
        .await?;
        if let Some(url) = &self.webhook_url {
            webhook::check_url(url)?;
        }
        if !known.register {
            say("register", "Tundmatu register.".into());
        }
        if !known.bureau {
            say("bureau", "Tundmatu büroo.".into());
        }
        if !wrong.is_empty() {
            return Err(Error::Invalid(wrong));
        }
        let watched = Watched {
            subject,
            bureau: self.bureau,
        };
        let limit = Limit {
            threshold: self.threshold.into(),
            minutes: self.minutes.into(),
        };
        Ok((watched, limit))
    }

    fn told(&self) -> Value {
        json!({
            "measure": self.measure, "queue": self.queue, "register": self.register, "cron": self.cron, "bureau": self.bureau,
            "threshold": self.threshold, "minutes": self.minutes, "enabled": self.enabled, "webhook": self.webhook_url.is_some(),
        })
    }
}

/// A new rule. Under the scope `Queue`.
pub async fn create(conn: &mut PgConnection, actor: &Actor, draft: &Draft) -> Result<AlertRuleId> {
    actor.check_oversees()?;
    let (watched, _) = draft.check(conn).await?;
    check_unique(conn, &watched, draft, None).await?;
    let rules = sqlx::query_scalar!(
        r#"select count(*) as "count!" from alert_rules where deleted_at is null"#
    )
    .fetch_one(&mut *conn)
    .await?;
    if rules >= MOST {
        return Err(Error::refused(
            "too_many",
            format!("Häirereegleid võib olla kuni {MOST}."),
        ));
    }
    let id = sqlx::query_scalar!(
        "insert into alert_rules (measure, queue, register, cron, bureau_id, threshold, minutes, enabled, webhook_url, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id",
        watched.subject.measure(),
        watched.subject.queue() as Option<Queue>,
        watched.subject.register(),
        watched.subject.cron().map(|cron| cron.name),
        watched.bureau.map(|id| id.0),
        draft.threshold,
        draft.minutes,
        draft.enabled,
        draft.webhook_url,
        actor.user_id.0,
    )
    .fetch_one(&mut *conn)
    .await?;
    let entry = Entry {
        after: Some(draft.told()),
        ..about(actor, "create", id)
    };
    audit::write(conn, &By::from(actor), entry).await?;
    Ok(AlertRuleId(id))
}

/// Another rule under the same id. Where it watches anything else or has another limit, its open alert ends without a word,
/// and what it watches is judged anew.
/// `version` as read: a stale one is refused. Under the scope `Queue`.
pub async fn change(
    conn: &mut PgConnection,
    actor: &Actor,
    id: AlertRuleId,
    draft: &Draft,
    version: i32,
) -> Result<()> {
    actor.check_oversees()?;
    let (watched, limit) = draft.check(conn).await?;
    let before = lock(conn, id).await?;
    if before.version != version {
        return Err(Error::Stale {
            changed_by: before.changed_by,
            version: before.version,
        });
    }
    check_unique(conn, &watched, draft, Some(id)).await?;
    let judged_anew = !(before.enabled && draft.enabled)
        || before.watched != Some(watched.clone())
        || before.limit != limit;
    sqlx::query!(
        "update alert_rules
         set measure = $2, queue = $3, register = $4, cron = $5, bureau_id = $6, threshold = $7, minutes = $8, enabled = $9,
             webhook_url = $10, changed_by = $11, version = version + 1,
             value = case when $12 then null else value end, breached_since = case when $12 then null else breached_since end
         where id = $1",
        id.0,
        watched.subject.measure(),
        watched.subject.queue() as Option<Queue>,
        watched.subject.register(),
        watched.subject.cron().map(|cron| cron.name),
        watched.bureau.map(|id| id.0),
        draft.threshold,
        draft.minutes,
        draft.enabled,
        draft.webhook_url,
        actor.user_id.0,
        judged_anew,
    )
    .execute(&mut *conn)
    .await?;
    if judged_anew {
        close(conn, id).await?;
    }
    let entry = Entry {
        before: Some(before.told),
        after: Some(draft.told()),
        version: Some(version + 1),
        ..about(actor, "change", id.0)
    };
    audit::write(conn, &By::from(actor), entry).await
}

/// Nobody is told until then; none: from now on everybody is. Under the scope `Queue`.
pub async fn silence(
    conn: &mut PgConnection,
    actor: &Actor,
    id: AlertRuleId,
    until: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<()> {
    actor.check_oversees()?;
    if until.is_some_and(|until| until <= now) {
        return Err(Error::invalid("until", "Lõpp peab olema tulevikus."));
    }
    lock(conn, id).await?;
    sqlx::query!(
        "update alert_rules set silenced_until = $2 where id = $1",
        id.0,
        until
    )
    .execute(&mut *conn)
    .await?;
    let entry = Entry {
        after: Some(json!({"until": until})),
        ..about(actor, "silence", id.0)
    };
    audit::write(conn, &By::from(actor), entry).await
}

/// Watches no more; its alerts are kept. Under the scope `Queue`.
pub async fn delete(conn: &mut PgConnection, actor: &Actor, id: AlertRuleId) -> Result<()> {
    actor.check_oversees()?;
    let before = lock(conn, id).await?;
    sqlx::query!(
        "update alert_rules set deleted_at = clock_timestamp() where id = $1",
        id.0
    )
    .execute(&mut *conn)
    .await?;
    close(conn, id).await?;
    let entry = Entry {
        before: Some(before.told),
        ..about(actor, "delete", id.0)
    };
    audit::write(conn, &By::from(actor), entry).await
}

/// Two rules that say the same would tell everybody twice.
async fn check_unique(
    conn: &mut PgConnection,
    watched: &Watched,
    draft: &Draft,
    but: Option<AlertRuleId>,
) -> Result<()> {
    let same = sqlx::query_scalar!(
        r#"select exists (select from alert_rules where deleted_at is null and id is distinct from $8
             and (measure, threshold, minutes) = ($1, $6, $7) and queue is not distinct from $2 and register is not distinct from $3
             and cron is not distinct from $4 and bureau_id is not distinct from $5) as "same!""#,
        watched.subject.measure(),
        watched.subject.queue() as Option<Queue>,
        watched.subject.register(),
        watched.subject.cron().map(|cron| cron.name),
        watched.bureau.map(|id| id.0),
        draft.threshold,
        draft.minutes,
        but.map(|id| id.0),
    )
    .fetch_one(conn)
    .await?;
    if same {
        return Err(Error::refused(
            "same_rule",
            "Täpselt selline reegel on juba olemas.",
        ));
    }
    Ok(())
}

/// A rule as it was before a change.
struct Before {
    version: i32,
    changed_by: Option<String>,
    enabled: bool,
    /// None: what no version of the code has written.
    watched: Option<Watched>,
    limit: Limit,
    told: Value,
}

async fn lock(conn: &mut PgConnection, id: AlertRuleId) -> Result<Before> {
    let row = sqlx::query!(
        r#"select r.version, r.measure, r.queue as "queue: Queue", r.register, r.cron, r.bureau_id, r.threshold, r.minutes, r.enabled,
                  u.name as "changed_by?"
           from alert_rules r left join users u on u.id = r.changed_by
           where r.id = $1 and r.deleted_at is null for update of r"#,
        id.0
    )
    .fetch_optional(conn)
    .await?
    .ok_or(Error::NotFound)?;
    Ok(Before {
        version: row.version,
        changed_by: row.changed_by,
        told: json!({
            "measure": row.measure, "queue": row.queue, "register": row.register, "cron": row.cron, "bureau": row.bureau_id,
            "threshold": row.threshold, "minutes": row.minutes, "enabled": row.enabled,
        }),
        enabled: row.enabled,
        watched: Subject::of(&row.measure, row.queue, row.register, row.cron).map(|subject| {
            Watched {
                subject,
                bureau: row.bureau_id.map(TenantId),
            }
        }),
        limit: Limit {
            threshold: row.threshold.into(),
            minutes: row.minutes.into(),
        },
    })
}

/// Ends an open alert of a rule that is no longer the same.
async fn close(conn: &mut PgConnection, id: AlertRuleId) -> Result<()> {
    sqlx::query!(
        "update alerts set recovered_at = coalesce(recovered_at, clock_timestamp()), over_told_at = clock_timestamp()
         where rule_id = $1 and over_told_at is null",
        id.0
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The buttons of a rule.
pub fn rights(actor: &Actor) -> Vec<Allowed> {
    let reason = actor
        .check_oversees()
        .is_err()
        .then_some("Häirereegleid peavad koda ja arendaja.");
    ["edit", "silence", "delete"]
        .map(|name| Allowed { name, reason })
        .to_vec()
}

fn about(actor: &Actor, action: &'static str, id: i64) -> Entry {
    Entry::new(actor.tenant_id, action, "AlertRule", id)
}
