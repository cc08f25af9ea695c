//! Who is told of an alert, and how: by the post those who oversee, and the bailiffs of the bureau that it is about; by a
//! webhook whom the rule names. In the transaction that opens or ends the alert.
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

use super::evaluate::Rule;
use super::view::link;
use crate::ids::{AlertId, TenantId, UserId};
use crate::mail::{self, AlertFacts, Kind, Notice};
use crate::{Result, bureaus, webhook};

/// What is told: that an alert is open, or that it is over.
pub(super) struct Word {
    pub alert: AlertId,
    pub peak: i64,
    pub at: DateTime<Utc>,
    /// When it fired, of one that is over.
    pub since: Option<DateTime<Utc>>,
}

pub(super) async fn tell(conn: &mut PgConnection, rule: &Rule, word: &Word) -> Result<()> {
    let bureau = rule.watched.bureau.map(|id| id.0);
    let code = sqlx::query_scalar!("select code from bureaus where id = $1", bureau)
        .fetch_optional(&mut *conn)
        .await?;
    let subject = &rule.watched.subject;
    let of = subject.queue().map(|queue| queue.as_str());
    let of = of
        .or(subject.register())
        .or(subject.cron().map(|cron| cron.name));
    let facts = AlertFacts {
        measure: subject.measure().to_owned(),
        subject: of.map(str::to_owned),
        bureau: code.clone(),
        value: word.peak,
        threshold: rule.limit.threshold,
        minutes: rule.limit.minutes,
        at: word.at,
        since: word.since,
        path: link(subject, code.as_deref()),
    };
    let tenant = bureaus::chamber(conn).await?;
    if let Some(url) = &rule.webhook_url {
        let state = if word.since.is_some() {
            "recovered"
        } else {
            "fired"
        };
        let id = format!("alert-{}-{state}", word.alert);
        let body = json!({
            "id": id, "alert": word.alert, "rule": rule.id, "state": state, "measure": facts.measure, "subject": facts.subject,
            "bureau": facts.bureau, "value": facts.value, "threshold": facts.threshold, "at": facts.at, "since": facts.since,
            "link": facts.path,
        });
        webhook::enqueue_webhook(conn, tenant, url, &id, &body).await?;
    }
    let notice = |tenant| Notice {
        kind: match word.since {
            None => Kind::AlertFired,
            Some(_) => Kind::AlertRecovered,
        },
        object: ("Alert", word.alert.0),
        run: 1,
        tenant,
        facts: mail::value(&facts),
    };
    let readers = readers(conn, bureau).await?;
    let notices: Vec<(Notice, UserId)> = readers
        .into_iter()
        .map(|(user, tenant)| (notice(tenant), user))
        .collect();
    let told: Vec<(&Notice, UserId)> = notices.iter().map(|(n, user)| (n, *user)).collect();
    mail::notify_all(conn, &told).await
}

/// Everybody who may see it, with the bureau of the role by which he does; who wants to is asked by the post.
async fn readers(conn: &mut PgConnection, bureau: Option<i64>) -> Result<Vec<(UserId, TenantId)>> {
    let users = sqlx::query!(
        "select distinct on (r.user_id) r.user_id, r.tenant_id from user_roles r join users u on u.id = r.user_id
         where r.ended_at is null and u.disabled_at is null
           and (r.role in ('koda', 'dev') or r.role = 'KT' and r.tenant_id = $1)
         order by r.user_id, r.role = 'KT', r.tenant_id",
        bureau
    )
    .fetch_all(conn)
    .await?;
    let users = users
        .into_iter()
        .map(|row| (UserId(row.user_id), TenantId(row.tenant_id)));
    Ok(users.collect())
}
