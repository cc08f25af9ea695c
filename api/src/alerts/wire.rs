//! Rules and alerts on the wire.
use chrono::{DateTime, Utc};
use domain::Actor;
use domain::alerts::{self, AlertView, Preview, RuleView, Watch};
use domain::jobs::Queue;
use serde::Serialize;
use utoipa::ToSchema;

use crate::collection::{AllowedAction, Resource};
use crate::who::{BureauNameAnswer, PersonAnswer, allowed};

/// Episodes of a preview that are listed.
const EPISODES: usize = 20;

/// What is watched, above what and for how long.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WatchAnswer {
    measure: &'static str,
    #[schema(value_type = Option<String>)]
    queue: Option<Queue>,
    register: Option<String>,
    /// A cron's id and name; null of cronLate: any.
    cron: Option<i64>,
    cron_name: Option<&'static str>,
    bureau: Option<BureauNameAnswer>,
    threshold: i32,
    minutes: i32,
}

impl WatchAnswer {
    fn new(watch: &Watch) -> Self {
        let cron = watch.subject.cron();
        Self {
            measure: watch.subject.measure(),
            queue: watch.subject.queue(),
            register: watch.subject.register().map(str::to_owned),
            cron: cron.map(|cron| cron.id),
            cron_name: cron.map(|cron| cron.name),
            bureau: watch.bureau.as_ref().map(BureauNameAnswer::from),
            threshold: watch.threshold,
            minutes: watch.minutes,
        }
    }
}

/// One rule, with how it stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertRuleAnswer {
    id: i64,
    #[serde(flatten)]
    watch: WatchAnswer,
    enabled: bool,
    silenced_until: Option<DateTime<Utc>>,
    webhook_url: Option<String>,
    /// As last measured, in the threshold's unit.
    value: Option<i32>,
    breached_since: Option<DateTime<Utc>>,
    /// The open alert, and since when.
    alert: Option<i64>,
    fired_at: Option<DateTime<Utc>>,
    created_by: PersonAnswer,
    created_at: DateTime<Utc>,
    version: i32,
    allowed_actions: Vec<AllowedAction>,
}

impl Resource for AlertRuleAnswer {
    const TYPE: &'static str = "AlertRule";
    const PATH: &'static str = "/v2/alert_rules";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl AlertRuleAnswer {
    pub fn new(actor: &Actor, rule: &RuleView) -> Self {
        Self {
            id: rule.id.0,
            watch: WatchAnswer::new(&rule.watch),
            enabled: rule.enabled,
            silenced_until: rule.silenced_until,
            webhook_url: rule.webhook_url.clone(),
            value: rule.value,
            breached_since: rule.breached_since,
            alert: rule.alert.map(|(id, _)| id.0),
            fired_at: rule.alert.map(|(_, at)| at),
            created_by: PersonAnswer::new(&rule.created_by),
            created_at: rule.created_at,
            version: rule.version,
            allowed_actions: allowed(alerts::rights(actor)),
        }
    }
}

/// The rule of an alert, as it is now.
#[derive(Debug, Serialize, ToSchema)]
struct RuleOfAlertAnswer {
    id: i64,
    #[serde(flatten)]
    watch: WatchAnswer,
}

/// One time that a rule held.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertAnswer {
    id: i64,
    rule: RuleOfAlertAnswer,
    fired_at: DateTime<Utc>,
    recovered_at: Option<DateTime<Utc>>,
    peak: i32,
    /// Nobody was told.
    silenced: bool,
    /// The page of the console that shows what it is about.
    link: String,
}

impl Resource for AlertAnswer {
    const TYPE: &'static str = "Alert";
    const PATH: &'static str = "/v2/alerts";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl AlertAnswer {
    pub fn new(alert: &AlertView) -> Self {
        let bureau = alert
            .watch
            .bureau
            .as_ref()
            .map(|bureau| bureau.code.as_str());
        Self {
            id: alert.id.0,
            link: alerts::link(&alert.watch.subject, bureau),
            rule: RuleOfAlertAnswer {
                id: alert.rule.0,
                watch: WatchAnswer::new(&alert.watch),
            },
            fired_at: alert.fired_at,
            recovered_at: alert.recovered_at,
            peak: alert.peak,
            silenced: alert.silenced,
        }
    }
}

/// What a rule would have done last week.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertPreviewAnswer {
    /// The first minute that is known.
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    fired: usize,
    minutes_firing: i64,
    /// The newest twenty, newest first.
    episodes: Vec<EpisodeAnswer>,
    /// As last measured.
    value: Option<i64>,
    /// The highest value of each hour that is known.
    hours: Vec<HourAnswer>,
}

#[derive(Debug, Serialize, ToSchema)]
struct EpisodeAnswer {
    from: DateTime<Utc>,
    /// Null: it holds.
    to: Option<DateTime<Utc>>,
    peak: i64,
}

#[derive(Debug, Serialize, ToSchema)]
struct HourAnswer {
    at: DateTime<Utc>,
    peak: i64,
}

impl AlertPreviewAnswer {
    pub fn new(preview: &Preview) -> Self {
        let minutes = |one: &domain::alerts::Episode| {
            (one.to.unwrap_or(preview.to) - one.fired_at)
                .num_minutes()
                .max(0)
        };
        let newest = preview.episodes.iter().rev().take(EPISODES);
        Self {
            from: preview.from,
            to: preview.to,
            fired: preview.episodes.len(),
            minutes_firing: preview.episodes.iter().map(minutes).sum(),
            episodes: newest
                .map(|one| EpisodeAnswer {
                    from: one.fired_at,
                    to: one.to,
                    peak: one.peak,
                })
                .collect(),
            value: preview.value,
            hours: preview
                .hours
                .iter()
                .map(|hour| HourAnswer {
                    at: hour.minute,
                    peak: hour.value,
                })
                .collect(),
        }
    }
}
