//! Pools and transactions: every statement runs under one of the four roles of migrations/0001.
pub mod migrations;
pub mod setup;

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection, Postgres, Transaction};

use crate::Result;
use crate::ids::TenantId;

pub type Tx = Transaction<'static, Postgres>;

/// Whose rows a transaction may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// One bureau's rows.
    Bureau(TenantId),
    /// Reads all bureaus; writes what the chamber may.
    Chamber,
    /// Jobs, attempts, leases, pauses; nothing of cases and persons.
    Queue,
    /// Users, roles, sessions.
    Auth,
}

impl Scope {
    fn begin(self) -> String {
        match self {
            Self::Bureau(TenantId(id)) => {
                format!("begin; set local role toimik_bureau; set local app.tenant = '{id}'")
            }
            Self::Chamber => "begin; set local role toimik_chamber".into(),
            Self::Queue => "begin; set local role toimik_queue".into(),
            Self::Auth => "begin; set local role toimik_auth".into(),
        }
    }

    /// Turns a running transaction to this scope: a group commit goes bureau by bureau.
    pub async fn switch(self, tx: &mut Tx) -> Result<()> {
        let text = self.begin();
        let text = text.trim_start_matches("begin; ").to_owned();
        sqlx::raw_sql(AssertSqlSafe(text))
            .execute(&mut **tx)
            .await?;
        Ok(())
    }
}

/// Begins a transaction under `scope`, in one round trip. Never call it inside `select!` or a time-out.
pub async fn begin(pool: &PgPool, scope: Scope) -> Result<Tx> {
    Ok(pool.begin_with(AssertSqlSafe(scope.begin())).await?)
}

/// A pool of transactions for one process; `options` come from its own login's URL.
pub fn pool(options: PgConnectOptions, most: u32) -> PgPool {
    transactions(settings(most)).connect_lazy_with(tuned(options))
}

fn transactions(options: PgPoolOptions) -> PgPoolOptions {
    options
        // sqlx 0.9.0 looks an enum up between parse and bind, which costs an unnamed statement its life: 26000 once a connection.
        .after_connect(|conn, _| {
            Box::pin(async move {
                // The login itself has no right to the schema.
                sqlx::raw_sql("begin; set local role toimik_queue")
                    .execute(&mut *conn)
                    .await?;
                sqlx::query(
                    "select null::case_state, null::job_state, null::job_queue, null::role_code",
                )
                .execute(&mut *conn)
                .await?;
                sqlx::raw_sql("rollback").execute(conn).await?;
                Ok(())
            })
        })
        // sqlx 0.9.0 can hand back a connection whose begin was cancelled half-way. A rollback alone would be a warning in the
        // server's log each time; where the begin is refused, the connection is closed.
        .after_release(|conn, _| {
            Box::pin(async move {
                sqlx::raw_sql("begin; rollback").execute(conn).await?;
                Ok(true)
            })
        })
}

/// As `pool`, and what is open stays open: for what must go on when PostgreSQL has no connection left to give.
pub fn standing_pool(options: PgConnectOptions, most: u32) -> PgPool {
    transactions(settings(most).idle_timeout(None).max_lifetime(None))
        .connect_lazy_with(tuned(options))
}

/// Each statement of this transaction may take so long.
pub async fn limit(conn: &mut PgConnection, most: Duration) -> Result<()> {
    let text = format!("set local statement_timeout = {}", most.as_millis().max(1));
    sqlx::raw_sql(AssertSqlSafe(text)).execute(conn).await?;
    Ok(())
}

/// Opens every connection of a pool.
pub async fn open_all(pool: &PgPool) -> Result<()> {
    let mut held = Vec::new();
    for _ in 0..pool.options().get_max_connections() {
        held.push(pool.acquire().await?);
    }
    Ok(())
}

/// A pool for single statements only, under the role `queue` for the whole session: one round trip each.
pub fn queue_pool(options: PgConnectOptions, most: u32) -> PgPool {
    settings(most).connect_lazy_with(tuned(options).options([("role", "toimik_queue")]))
}

fn settings(most: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(most)
        .acquire_timeout(Duration::from_secs(5))
        .idle_timeout(Duration::from_secs(300))
        // A connection that just answered is not asked whether it lives: one round trip less a transaction.
        .test_before_acquire(false)
        .before_acquire(|conn, known| {
            Box::pin(async move {
                if known.idle_for > Duration::from_secs(1) {
                    conn.ping().await?;
                }
                Ok(true)
            })
        })
}

/// What a process has set itself stays: PostgreSQL takes the last of two.
fn tuned(options: PgConnectOptions) -> PgConnectOptions {
    let own = options.get_options().unwrap_or_default().to_owned();
    let ours = [
        ("idle_in_transaction_session_timeout", "15s"),
        ("lock_timeout", "5s"),
        ("timezone", "UTC"),
        ("jit", "off"),
        ("client_min_messages", "error"),
    ];
    options.options(ours.into_iter().filter(|(name, _)| !own.contains(name)))
}

/// Refuses a login that could walk around row security, and an empty database; the error is one plain sentence.
pub async fn check_login(pool: &PgPool) -> Result<(), String> {
    // Not from the pool, whose connections need the tables: why none comes would be told as a wait that was too long.
    let own = settings(1).connect_lazy_with(pool.connect_options().as_ref().clone());
    let row = sqlx::query!(
        r#"select exists (select from pg_type where typname = 'role_code') as "is_migrated!", session_user::text as "login!", rolsuper or rolbypassrls as "strong!", rolinherit as "inherits!",
                  coalesce(pg_has_role(session_user, to_regrole('toimik_owner'), 'member'), false) as "owner!",
                  exists (select from pg_auth_members m join pg_roles r on r.oid = m.member
                          where r.rolname = any(array['toimik_bureau', 'toimik_chamber', 'toimik_queue', 'toimik_auth']))
                    as "mixed!"
           from pg_roles where rolname = session_user"#
    )
    .fetch_one(&own)
    .await
    .map_err(|error| format!("The database does not answer: {error}."))?;
    own.close().await;
    if !row.is_migrated {
        return Err("The database has no tables of Toimik yet: run migrate first.".into());
    }
    if row.strong || row.owner {
        return Err(format!(
            "The database login {} is owner or superuser; each process needs its own login.",
            row.login
        ));
    }
    if row.inherits {
        return Err(format!(
            "The database login {} inherits the rights of its roles; it must be NOINHERIT.",
            row.login
        ));
    }
    if row.mixed {
        return Err(
            "A database role of Toimik is a member of another role, so that row security mixes them."
                .into(),
        );
    }
    Ok(())
}

/// Proves that the database takes a read and a write: a process's readiness.
pub async fn probe(pool: &PgPool, name: &str) -> Result<()> {
    let mut tx = begin(pool, Scope::Queue).await?;
    sqlx::query!(
        "insert into leases (name, holder, term, expires_at) values ($1, '', 0, clock_timestamp())
         on conflict (name) do update set expires_at = excluded.expires_at",
        name
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(())
}
