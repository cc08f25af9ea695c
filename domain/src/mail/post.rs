//! Makes mails of notices: at most [`MOST`] of a kind to a person within [`WINDOW`], then what waits becomes one digest.
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{Kind, Standing};
use crate::Result;
use crate::ids::TenantId;
use crate::jobs::{self, NewJob, enqueue};

/// Mails of one kind to one person within [`WINDOW`].
pub const MOST: usize = 5;
pub const WINDOW: TimeDelta = TimeDelta::minutes(10);

/// Notices of one step.
const STEP: i64 = 500;
/// Lines of a digest; the rest is a number.
const LINES: i64 = 20;

struct Due {
    id: i64,
    tenant_id: i64,
    held: bool,
    facts: Value,
}

/// Takes up some due notices, in a transaction of the caller under the queue's scope. `domain` stands behind the @ of the
/// Message-IDs. True while there may be more; one process at a time does it.
pub async fn post(conn: &mut PgConnection, domain: &str, now: DateTime<Utc>) -> Result<bool> {
    let due = sqlx::query!(
        "select id, tenant_id, user_id, kind, held, facts from notices
         where due_at <= $1 and mail_id is null and not unwanted order by due_at, id limit $2",
        now,
        STEP,
    )
    .fetch_all(&mut *conn)
    .await?;
    if due.is_empty() {
        return Ok(false);
    }
    let mine = sqlx::query_scalar!(
        r#"select pg_try_advisory_xact_lock(hashtextextended('post', 0)) as "mine!""#
    )
    .fetch_one(&mut *conn)
    .await?;
    if !mine {
        return Ok(false);
    }
    let more = i64::try_from(due.len()).is_ok_and(|found| found == STEP);
    let mut piles: Vec<(Pile<'_>, Vec<Due>)> = Vec::new();
    for row in due {
        let Some(kind) = Kind::parse(&row.kind) else {
            continue;
        };
        let found = piles
            .iter_mut()
            .find(|(pile, _)| pile.user == row.user_id && pile.kind == kind);
        let notice = Due {
            id: row.id,
            tenant_id: row.tenant_id,
            held: row.held,
            facts: row.facts,
        };
        match found {
            Some((_, notices)) => notices.push(notice),
            None => {
                let pile = Pile {
                    user: row.user_id,
                    kind,
                    domain,
                    now,
                };
                piles.push((pile, vec![notice]));
            }
        }
    }
    for (pile, notices) in piles {
        pile.deliver(conn, notices).await?;
    }
    Ok(more)
}

/// What is due to one person of one kind.
struct Pile<'a> {
    user: i64,
    kind: Kind,
    domain: &'a str,
    now: DateTime<Utc>,
}

impl Pile<'_> {
    async fn deliver(&self, conn: &mut PgConnection, mut notices: Vec<Due>) -> Result<()> {
        self.drop_foreign(conn).await?;
        // Another may have been quicker between the first look and the lock.
        let ids: Vec<i64> = notices.iter().map(|notice| notice.id).collect();
        let still = sqlx::query_scalar!(
            "select id from notices where id = any($1) and mail_id is null and not unwanted",
            &ids
        )
        .fetch_all(&mut *conn)
        .await?;
        notices.retain(|notice| still.contains(&notice.id));
        if !self.is_wanted(conn).await? {
            sqlx::query!(
                "update notices set unwanted = true where user_id = $1 and kind = $2 and mail_id is null and not unwanted",
                self.user,
                self.kind.as_str(),
            )
            .execute(conn)
            .await?;
            return Ok(());
        }
        if notices.iter().any(|notice| notice.held) {
            return self.send_what_waited(conn).await;
        }
        let held_until = sqlx::query_scalar!(
            "select min(due_at) from notices where user_id = $1 and kind = $2 and mail_id is null and not unwanted and held",
            self.user,
            self.kind.as_str(),
        )
        .fetch_one(&mut *conn)
        .await?;
        let (free, until) = match held_until {
            Some(until) => (0, until),
            None => self.room(conn, notices.len()).await?,
        };
        let rest = notices.split_off(free.min(notices.len()));
        for notice in notices {
            self.mail(conn, notice.tenant_id, &[notice.id], &notice.facts)
                .await?;
        }
        let rest: Vec<i64> = rest.iter().map(|notice| notice.id).collect();
        if !rest.is_empty() {
            sqlx::query!(
                "update notices set held = true, due_at = $2 where id = any($1)",
                &rest,
                until
            )
            .execute(conn)
            .await?;
        }
        Ok(())
    }

    /// What is of a bureau where the person holds no role any more is not told; the chamber and operators see all.
    async fn drop_foreign(&self, conn: &mut PgConnection) -> Result<()> {
        sqlx::query!(
            "update notices n set unwanted = true
             where user_id = $1 and kind = $2 and mail_id is null and not unwanted
               and not exists (select from user_roles r where r.user_id = n.user_id and r.ended_at is null
                               and (r.tenant_id = n.tenant_id or r.role in ('koda', 'dev')))",
            self.user,
            self.kind.as_str(),
        )
        .execute(conn)
        .await?;
        Ok(())
    }

    /// Also whether the person is there at all.
    async fn is_wanted(&self, conn: &mut PgConnection) -> Result<bool> {
        let user = sqlx::query!(
            "select p.wanted as \"wanted?\", exists (select from user_roles r where r.user_id = u.id and r.ended_at is null
                                                   and r.role in ('koda', 'dev')) as oversees
             from users u left join mail_preferences p on p.user_id = u.id and p.kind = $2
             where u.id = $1 and u.disabled_at is null",
            self.user,
            self.kind.as_str(),
        )
        .fetch_optional(conn)
        .await?;
        Ok(user.is_some_and(|user| {
            let default = self.kind.default_for(Standing::of(user.oversees));
            user.wanted.unwrap_or(default)
        }))
    }

    /// How many of so many may go now, and until when the others wait: the oldest of the last five is then out of the window.
    async fn room(&self, conn: &mut PgConnection, wanted: usize) -> Result<(usize, DateTime<Utc>)> {
        let mut times = sqlx::query_scalar!(
            "select created_at from mails where user_id = $1 and kind = $2 and created_at > $3
             order by created_at desc limit 5",
            self.user,
            self.kind.as_str(),
            self.now - WINDOW,
        )
        .fetch_all(conn)
        .await?;
        let free = MOST.saturating_sub(times.len()).min(wanted);
        times.reverse();
        times.extend(std::iter::repeat_n(self.now, free));
        let oldest = times.get(times.len().saturating_sub(MOST));
        Ok((free, oldest.copied().unwrap_or(self.now) + WINDOW))
    }

    /// All that waits for this person, whether or not it was due, in one mail.
    async fn send_what_waited(&self, conn: &mut PgConnection) -> Result<()> {
        let waiting = sqlx::query!(
            "select id, tenant_id from notices where user_id = $1 and kind = $2 and mail_id is null and not unwanted
             order by id for update",
            self.user,
            self.kind.as_str(),
        )
        .fetch_all(&mut *conn)
        .await?;
        let Some(last) = waiting.last() else {
            return Ok(());
        };
        let tenant = last.tenant_id;
        let ids: Vec<i64> = waiting.iter().map(|row| row.id).collect();
        // What failed is what a person looks for.
        let lines = sqlx::query_scalar!(
            "select facts from notices where id = any($1) order by (facts ->> 'status' = '3') desc nulls last, id desc limit $2",
            &ids,
            LINES,
        )
        .fetch_all(&mut *conn)
        .await?;
        if let ([_], [facts]) = (&ids[..], &lines[..]) {
            return self.mail(conn, tenant, &ids, facts).await;
        }
        let by_status = sqlx::query!(
            r#"select (facts ->> 'status')::smallint as "status!", count(*) as "count!" from notices
               where id = any($1) and facts ->> 'status' is not null group by 1 order by 1"#,
            &ids,
        )
        .fetch_all(&mut *conn)
        .await?;
        let by_status: Vec<Value> = by_status
            .iter()
            .map(|row| json!({"status": row.status, "count": row.count}))
            .collect();
        let facts = json!({"total": ids.len(), "byStatus": by_status, "items": lines});
        self.mail(conn, tenant, &ids, &facts).await
    }

    async fn mail(
        &self,
        conn: &mut PgConnection,
        tenant: i64,
        notices: &[i64],
        facts: &Value,
    ) -> Result<()> {
        let id = sqlx::query_scalar!(
            "insert into mails (user_id, kind, message_id, notices, facts, created_at) values ($1, $2, $3, $4, $5, $6) returning id",
            self.user,
            self.kind.as_str(),
            format!("{}@{}", uuid::Uuid::new_v4(), self.domain),
            i32::try_from(notices.len()).unwrap_or(i32::MAX),
            facts,
            self.now,
        )
        .fetch_one(&mut *conn)
        .await?;
        let job = NewJob {
            args: Some(json!({"mailId": id})),
            ..NewJob::new(jobs::Kind::SendMail, TenantId(tenant))
        };
        let job = enqueue(conn, &job).await?;
        sqlx::query!("update mails set job_id = $2 where id = $1", id, job.0)
            .execute(&mut *conn)
            .await?;
        sqlx::query!(
            "update notices set mail_id = $2 where id = any($1)",
            notices,
            id
        )
        .execute(conn)
        .await?;
        Ok(())
    }
}
