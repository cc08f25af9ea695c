//! Migrations beside processes that work: a lock is asked for briefly and again, so that nobody queues for long behind it.
use std::time::Duration;

use sqlx::migrate::{Migrate, MigrateError, Migrator};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::time::Instant;

/// What came of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Applied {
    pub migrations: usize,
    /// How often one gave way to those at work and was tried again.
    pub gave_way: u32,
}

/// How long a statement may wait for a lock. All that comes after it queues behind it and gives up after five seconds itself.
const LOCK: Duration = Duration::from_millis(500);
/// Between two tries: what queued goes through.
const PAUSE: Duration = Duration::from_secs(1);
/// How long one migration is tried: longer than an import, which holds its tables for ten minutes at most.
const PATIENCE: Duration = Duration::from_secs(900);

/// Applies what is missing, one by one. `tell` gets a sentence whenever one gives way.
pub async fn apply(
    conn: &mut PgConnection,
    migrator: &Migrator,
    tell: &dyn Fn(&str),
) -> Result<Applied, MigrateError> {
    set_lock_timeout(conn, LOCK).await?;
    let mut done = Applied::default();
    conn.ensure_migrations_table(&migrator.table_name).await?;
    let known = conn.list_applied_migrations(&migrator.table_name).await?;
    let last = migrator.iter().next_back().map(|m| m.version);
    for migration in migrator.iter() {
        let is_known = known.iter().any(|one| one.version == migration.version);
        // The last one is always asked for, so that what was applied is compared with what there is.
        if is_known && last != Some(migration.version) {
            continue;
        }
        let from = Instant::now();
        loop {
            if migration.no_tx && !is_known {
                // It is alone in its file and holds no lock that others wait for; its own wait is for old transactions to end.
                remove_broken_indexes(conn).await?;
                set_lock_timeout(conn, Duration::ZERO).await?;
            }
            let outcome = migrator.run_to(migration.version, &mut *conn).await;
            set_lock_timeout(conn, LOCK).await?;
            if outcome.is_err() {
                // sqlx keeps its own lock then, and counts it once more at each try.
                sqlx::raw_sql("select pg_advisory_unlock_all()")
                    .execute(&mut *conn)
                    .await?;
            }
            match outcome {
                Ok(()) => break,
                Err(error) if gave_way(&error) && from.elapsed() < PATIENCE => {
                    tell(&format!(
                        "Migration {} waits for a lock and tries again: {error}.",
                        migration.version
                    ));
                }
                Err(error) => return Err(error),
            }
            done.gave_way += 1;
            tokio::time::sleep(PAUSE).await;
        }
        done.migrations += usize::from(!is_known);
    }
    set_lock_timeout(conn, Duration::ZERO).await?;
    Ok(done)
}

/// A lock that did not come in time, or a deadlock: nothing was changed, and the next try may go through.
fn gave_way(error: &MigrateError) -> bool {
    let (MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) = error else {
        return false;
    };
    let code = error.as_database_error().and_then(|error| error.code());
    matches!(code.as_deref(), Some("55P03" | "40P01"))
}

/// What a concurrent build that was broken off has left: it would take writes and answer nobody. One that is being built stays.
async fn remove_broken_indexes(conn: &mut PgConnection) -> sqlx::Result<()> {
    let broken: Vec<String> = sqlx::query_scalar(
        "select format('%I.%I', n.nspname, c.relname) from pg_index i
         join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
         where not i.indisvalid and n.nspname = 'public' and c.relkind = 'i'
           and not exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid)",
    )
    .fetch_all(&mut *conn)
    .await?;
    for index in broken {
        let drop = format!("drop index concurrently if exists {index}");
        sqlx::raw_sql(AssertSqlSafe(drop))
            .execute(&mut *conn)
            .await?;
    }
    Ok(())
}

async fn set_lock_timeout(conn: &mut PgConnection, most: Duration) -> sqlx::Result<()> {
    // What a broken migration left open is rolled back first.
    conn.ping().await?;
    let text = format!("set lock_timeout = '{}ms'", most.as_millis());
    sqlx::raw_sql(AssertSqlSafe(text))
        .execute(conn)
        .await
        .map(drop)
}
