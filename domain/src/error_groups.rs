//! Failed jobs by their error: how many, since when, in which bureaus, and what is known of it. A retried job leaves its group.
use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::PgConnection;

use crate::actor::{Actor, Allowed, Role};
use crate::audit::{self, By, Entry};
use crate::clock::start_of_minute;
use crate::ids::TenantId;
use crate::jobs::Queue;
use crate::queues::Count;
use crate::{Error, Result};

/// The newest failures that are looked at: more of them are "at least".
const LOOKED_AT: i64 = 100_000;
const HOURS: usize = 24;

#[derive(Debug, Clone, PartialEq)]
pub struct ErrorGroup {
    pub key: String,
    pub queue: Queue,
    pub kind: String,
    pub code: String,
    /// What is alike in the errors.
    pub words: String,
    pub count: Count,
    pub first_seen_at: DateTime<Utc>,
    pub last_seen_at: DateTime<Utc>,
    /// Codes, at most ten.
    pub bureaus: Vec<String>,
    /// Failures of each of the last 24 hours, oldest first.
    pub trend: Vec<i64>,
    pub note: Option<Note>,
}

/// What operators know of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub text: String,
    pub by: String,
    pub at: DateTime<Utc>,
}

/// Which groups are asked for.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Failures not older than this.
    pub hours: i64,
    pub queue: Option<Queue>,
    /// A bureau's code.
    pub bureau: Option<String>,
    /// With or without a note.
    pub known: Option<bool>,
}

/// Groups with the most failures first, at most `limit`; and how many failures there are in all.
pub async fn list(
    conn: &mut PgConnection,
    wanted: &Wanted,
    limit: usize,
    now: DateTime<Utc>,
) -> Result<(Count, Vec<ErrorGroup>)> {
    if !(1..=2_160).contains(&wanted.hours) {
        return Err(Error::invalid("hours", "Tunde võib olla 1 kuni 2160."));
    }
    let tenant = match &wanted.bureau {
        None => None,
        Some(code) => {
            let id = sqlx::query_scalar!("select id from bureaus where code = $1", code)
                .fetch_optional(&mut *conn)
                .await?;
            let Some(id) = id else {
                return Ok((Count::Exact(0), Vec::new()));
            };
            Some(id)
        }
    };
    let rows = sqlx::query!(
        r#"select key as "key!", tenant_id as "tenant_id!", hour as "hour!", failed as "failed!", first_at as "first_at!",
                  last_at as "last_at!", newest as "newest!"
           from failures($1, $2, $3, $4)"#,
        // To the minute: the same answer for whoever asks within it.
        start_of_minute(now) - TimeDelta::hours(wanted.hours),
        wanted.queue as Option<Queue>,
        tenant,
        LOOKED_AT,
    )
    .fetch_all(&mut *conn)
    .await?;
    let total: i64 = rows.iter().map(|row| row.failed).sum();
    let all_seen = total < LOOKED_AT;
    let mut groups: HashMap<String, Sum> = HashMap::new();
    for row in rows {
        let sum = groups.entry(row.key).or_insert(Sum::new(row.first_at));
        sum.count += row.failed;
        sum.first = sum.first.min(row.first_at);
        sum.last = sum.last.max(row.last_at);
        sum.newest = sum.newest.max(row.newest);
        sum.tenants.insert(row.tenant_id);
        let ago = usize::try_from((now - row.hour).num_hours()).unwrap_or(HOURS);
        if let Some(hour) = (HOURS - 1)
            .checked_sub(ago)
            .and_then(|place| sum.trend.get_mut(place))
        {
            *hour += row.failed;
        }
    }
    let mut groups: Vec<(String, Sum)> = groups.into_iter().collect();
    groups.sort_by(|(a, one), (b, other)| other.count.cmp(&one.count).then_with(|| a.cmp(b)));
    let named = named(conn, &groups).await?;
    let found = groups.into_iter().filter_map(|(key, sum)| {
        let name = named.names.get(&key)?;
        let bureaus = sum
            .tenants
            .iter()
            .filter_map(|id| named.bureaus.get(id).cloned())
            .take(10);
        let group = ErrorGroup {
            queue: name.queue,
            kind: name.kind.clone(),
            code: name.code.clone(),
            words: name.words.clone(),
            count: if all_seen {
                Count::Exact(sum.count)
            } else {
                Count::AtLeast(sum.count)
            },
            first_seen_at: name.first_seen_at.unwrap_or(sum.first).min(sum.first),
            last_seen_at: sum.last,
            bureaus: bureaus.collect(),
            trend: sum.trend.to_vec(),
            note: name.note.clone(),
            key,
        };
        wanted
            .known
            .is_none_or(|known| known == group.note.is_some())
            .then_some(group)
    });
    let total = if all_seen {
        Count::Exact(total)
    } else {
        Count::AtLeast(total)
    };
    Ok((total, found.take(limit).collect()))
}

struct Sum {
    count: i64,
    first: DateTime<Utc>,
    last: DateTime<Utc>,
    newest: i64,
    tenants: BTreeSet<i64>,
    trend: [i64; HOURS],
}

impl Sum {
    fn new(at: DateTime<Utc>) -> Self {
        Self {
            count: 0,
            first: at,
            last: at,
            newest: 0,
            tenants: BTreeSet::new(),
            trend: [0; HOURS],
        }
    }
}

struct Name {
    queue: Queue,
    kind: String,
    code: String,
    words: String,
    /// Not told to a bureau: it may have been another's.
    first_seen_at: Option<DateTime<Utc>>,
    note: Option<Note>,
}

struct Names {
    names: HashMap<String, Name>,
    bureaus: HashMap<i64, String>,
}

/// Words from a job that the reader sees, since the group's own may come from another bureau.
async fn named(conn: &mut PgConnection, groups: &[(String, Sum)]) -> Result<Names> {
    let newest: Vec<i64> = groups.iter().map(|(_, sum)| sum.newest).collect();
    let rows = sqlx::query!(
        r#"select j.error_key as "key!", j.queue as "queue!: Queue", j.kind as "kind!", coalesce(j.error_code, '') as "code!",
                  error_words(j.output) as "words!", n.first_seen_at as "first_seen_at?", n.note as "note?", n.note_at as "note_at?",
                  n.note_by as "note_by?"
           from jobs j left join error_group_notes(array(select error_key from jobs where id = any($1))) n on n.key = j.error_key
           where j.id = any($1) and j.error_key is not null"#,
        &newest,
    )
    .fetch_all(&mut *conn)
    .await?;
    let names = rows.into_iter().map(|row| {
        let note = row.note.zip(row.note_at).map(|(text, at)| Note {
            text,
            by: row.note_by.unwrap_or_default(),
            at,
        });
        (
            row.key,
            Name {
                queue: row.queue,
                kind: row.kind,
                code: row.code,
                words: row.words,
                first_seen_at: row.first_seen_at,
                note,
            },
        )
    });
    let names = names.collect();
    let tenants: Vec<i64> = groups
        .iter()
        .flat_map(|(_, sum)| sum.tenants.iter().copied())
        .collect();
    let bureaus = sqlx::query!("select id, code from bureaus where id = any($1)", &tenants)
        .fetch_all(conn)
        .await?;
    Ok(Names {
        names,
        bureaus: bureaus.into_iter().map(|row| (row.id, row.code)).collect(),
    })
}

/// One group of the last 90 days.
pub async fn find(conn: &mut PgConnection, key: &str, now: DateTime<Utc>) -> Result<ErrorGroup> {
    let wanted = Wanted {
        hours: 2_160,
        ..Wanted::default()
    };
    let (_, groups) = list(conn, &wanted, usize::MAX, now).await?;
    groups
        .into_iter()
        .find(|group| group.key == key)
        .ok_or(Error::NotFound)
}

/// The buttons of a group.
pub fn rights(actor: &Actor) -> Vec<Allowed> {
    let note = (actor.role == Role::Kt).then_some("Märkuse lisab koda või arendaja.");
    vec![
        Allowed {
            name: "retry",
            reason: None,
        },
        Allowed {
            name: "note",
            reason: note,
        },
    ]
}

/// Marks a group as known, or not any more. Under the scope `Queue`.
pub async fn set_note(
    conn: &mut PgConnection,
    actor: &Actor,
    key: &str,
    note: Option<&str>,
) -> Result<()> {
    if actor.role == Role::Kt {
        return Err(Error::Forbidden);
    }
    let note = note.map(str::trim).filter(|note| !note.is_empty());
    if note.is_some_and(|note| note.chars().count() > 2_000 || note.contains('\0')) {
        return Err(Error::invalid(
            "note",
            "Märkus on liiga pikk või sisaldab lubamatut märki.",
        ));
    }
    let before = sqlx::query_scalar!(
        "select note from error_groups where key = $1 for update",
        key
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::NotFound)?;
    sqlx::query!(
        "update error_groups
         set note = $2, note_by = $3, note_at = case when $2::text is null then null else clock_timestamp() end
         where key = $1",
        key,
        note,
        note.map(|_| actor.user_id.0),
    )
    .execute(&mut *conn)
    .await?;
    let entry = Entry {
        before: Some(json!({"note": before})),
        after: Some(json!({"note": note, "key": key})),
        ..Entry::new(TenantId(actor.tenant_id.0), "note", "ErrorGroup", 0)
    };
    audit::write(
        conn,
        &By::from(actor),
        Entry {
            object_id: None,
            ..entry
        },
    )
    .await
}
