//! The daily digest: what ended in a person's bureaus on one day, told to whoever wants it.
use chrono::{DateTime, Datelike, Days, NaiveDate, Utc};
use sqlx::PgConnection;

use super::{DayFacts, Ended, ErrorCount, Kind, Notice, notify_all};
use crate::clock::{day_in_estonia, start_of_day_in_estonia};
use crate::ids::{TenantId, UserId};
use crate::{Error, Result};

/// The most failed jobs of a day that are looked at, and the errors that are named.
const LOOKED_AT: i64 = 100_000;
const ERRORS: i64 = 5;

/// What ended on that Estonian day in the bureaus of this person's live roles; over all for the chamber and operators. A day
/// that is not over at `now` is refused. Under the queue's scope.
pub async fn digest(
    conn: &mut PgConnection,
    user: UserId,
    day: NaiveDate,
    now: DateTime<Utc>,
) -> Result<DayFacts> {
    let end = start_of_day_in_estonia(day + Days::new(1));
    if now < end {
        return Err(Error::refused("day_not_over", "Päev ei ole veel lõppenud."));
    }
    let begin = start_of_day_in_estonia(day);
    let roles = sqlx::query!(
        r#"select b.id, b.name, bool_or(r.role in ('koda', 'dev')) as "oversees!"
           from user_roles r join bureaus b on b.id = r.tenant_id
           where r.user_id = $1 and r.ended_at is null group by b.id, b.name order by b.name"#,
        user.0,
    )
    .fetch_all(&mut *conn)
    .await?;
    let all = roles.iter().any(|role| role.oversees);
    let (bureaus, names) = if all {
        (None, Vec::new())
    } else {
        let ids: Vec<i64> = roles.iter().map(|role| role.id).collect();
        (Some(ids), roles.into_iter().map(|role| role.name).collect())
    };
    let of = Of {
        begin,
        end,
        bureaus: bureaus.as_deref(),
    };
    let (failed_jobs, errors) = of.failures(conn).await?;
    let [bulk_actions, imports, operator_actions] = of.ended(conn).await?;
    Ok(DayFacts {
        day,
        bureaus: names,
        bulk_actions,
        imports,
        operator_actions,
        failed_jobs,
        errors,
    })
}

/// Tells everybody who wants it of yesterday; a second call on the same Estonian day tells nobody. Returns how many wanted it.
pub async fn send_daily_digests(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<usize> {
    let day = day_in_estonia(now) - Days::new(1);
    let readers = sqlx::query!(
        r#"select p.user_id, min(r.tenant_id) as "tenant_id!"
           from mail_preferences p join user_roles r on r.user_id = p.user_id and r.ended_at is null
           join users u on u.id = p.user_id and u.disabled_at is null
           where p.kind = 'daily_digest' and p.wanted group by p.user_id order by p.user_id"#
    )
    .fetch_all(&mut *conn)
    .await?;
    let mut notices = Vec::new();
    for reader in readers {
        let user = UserId(reader.user_id);
        let facts = digest(conn, user, day, now).await?;
        let notice = Notice {
            kind: Kind::DailyDigest,
            object: ("Day", i64::from(day.num_days_from_ce())),
            run: 1,
            tenant: TenantId(reader.tenant_id),
            facts: super::value(&facts),
        };
        notices.push((notice, user));
    }
    let told: Vec<(&Notice, UserId)> = notices.iter().map(|(n, user)| (n, *user)).collect();
    notify_all(conn, &told).await?;
    Ok(told.len())
}

/// A day and whose rows count; no bureaus: all.
struct Of<'a> {
    begin: DateTime<Utc>,
    end: DateTime<Utc>,
    bureaus: Option<&'a [i64]>,
}

impl Of<'_> {
    /// Bulk actions, those of the chamber over cases of these bureaus too, imports and operator actions by how they ended.
    async fn ended(&self, conn: &mut PgConnection) -> Result<[Vec<Ended>; 3]> {
        let rows = sqlx::query!(
            r#"select e.place as "place!", e.status as "status!", count(*) as "count!"
               from (select 0 as place, id, status, finished_at, tenant_id from bulk_actions
                     union all select 1, id, status, finished_at, tenant_id from imports
                     union all select 2, id, status, finished_at, tenant_id from operator_actions) e
               where e.finished_at >= $1 and e.finished_at < $2
                 and ($3::bigint[] is null or e.tenant_id = any($3)
                      or e.place = 0 and exists (select from bulk_action_bureaus b where b.action_id = e.id and b.tenant_id = any($3)))
               group by 1, 2 order by 1, 2"#,
            self.begin,
            self.end,
            self.bureaus,
        )
        .fetch_all(conn)
        .await?;
        let of = |place| {
            let mine = rows.iter().filter(|row| row.place == place);
            mine.map(|row| Ended {
                status: row.status,
                count: row.count,
            })
            .collect()
        };
        Ok([of(0), of(1), of(2)])
    }

    /// Jobs that failed then and have not been retried since, and their most frequent errors.
    async fn failures(&self, conn: &mut PgConnection) -> Result<(i64, Vec<ErrorCount>)> {
        let groups = sqlx::query!(
            r#"select f.error_key as "key!", coalesce(nullif(g.words, ''), g.code, '') as "words!", f.count as "count!",
                      (sum(f.count) over ())::bigint as "all!"
               from (select error_key, count(*) as count
                     from (select error_key from jobs
                           where state = 'failed' and finished_at >= $1 and finished_at < $2
                             and ($3::bigint[] is null or tenant_id = any($3)) limit $4) seen
                     where error_key is not null group by 1) f
               left join error_groups g on g.key = f.error_key
               order by f.count desc, f.error_key limit $5"#,
            self.begin,
            self.end,
            self.bureaus,
            LOOKED_AT,
            ERRORS,
        )
        .fetch_all(conn)
        .await?;
        let all = groups.first().map_or(0, |group| group.all);
        let errors = groups.into_iter().map(|group| ErrorCount {
            key: group.key,
            words: group.words,
            count: group.count,
        });
        Ok((all, errors.collect()))
    }
}
