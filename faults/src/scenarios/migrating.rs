//! B45: the schema changes while everything works, old processes and new ones side by side.
use std::cell::Cell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use domain::db::migrations::{self, Applied};
use domain::db::setup::MIGRATOR;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, PgPool, SqlSafeStr};

use crate::actions::{self, SYNC_TO_REGISTER};
use crate::balancer::Balancer;
use crate::judge::{Report, Stretch};
use crate::postgres_server::{PostgresServer, with_own};
use crate::rig::{Plan, Rig, free_port};
use crate::scenarios::workers_die::all_ok;
use crate::traffic::Traffic;

/// What the processes themselves wait for a lock at most.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// What a next release would bring, first of all to the busiest table: as CONTRIBUTING.md says a migration is written.
const NEXT: [(&str, bool); 4] = [
    (
        "set local role toimik_owner;
         alter table jobs add column of_the_next_release text;
         alter table job_archive add column of_the_next_release text;
         comment on column jobs.of_the_next_release is 'Nullable, without a default: no row is written.';
         reset role;",
        false,
    ),
    (
        "set local role toimik_owner;
         alter table cases add column of_the_next_release bigint;
         reset role;",
        false,
    ),
    (
        "set local role toimik_owner;
         create table things_of_the_next_release (
           id bigint generated always as identity primary key,
           tenant_id bigint not null,
           case_id bigint not null
         );
         comment on table things_of_the_next_release is 'Nothing refers to it yet.';
         alter table things_of_the_next_release enable row level security;
         create policy bureau_own on things_of_the_next_release to toimik_bureau
           using (tenant_id = (select app_tenant())) with check (tenant_id = (select app_tenant()));
         grant select, insert, update on things_of_the_next_release to toimik_bureau;
         alter table things_of_the_next_release add foreign key (case_id) references cases not valid;
         reset role;",
        false,
    ),
    (
        "create index concurrently if not exists jobs_of_the_next_release on jobs (of_the_next_release) where of_the_next_release is not null",
        true,
    ),
];

pub async fn b45(rig: &mut Rig) -> Result<Report> {
    let cases = rig.size.of(8_000, 2_500);
    let mut too_old = None;
    if let Some(old) = rig.old.clone() {
        let plan = Plan {
            old: Some(old),
            ..Plan::of(cases)
        };
        return with_own(rig, "b45-old", plan, migrated).await;
    }
    let newest: Vec<i64> = MIGRATOR.iter().rev().map(|one| one.version).collect();
    // How many of the newest are tried without.
    for back in (0..=rig.size.of(3, 1)).rev() {
        let plan = Plan {
            schema: newest.get(back).copied(),
            ..Plan::of(cases)
        };
        let outcome = with_own(rig, &format!("b45-{back}"), plan, migrated).await;
        match outcome {
            Err(error) if error.is::<TooOld>() && back > 0 => {
                too_old = Some(format!(
                    "without the newest {back} these programs do not work: {error}"
                ));
            }
            Ok(mut report) => {
                report.notes.extend(too_old);
                return Ok(report);
            }
            Err(error) => return Err(error),
        }
    }
    bail!("there are no migrations")
}

#[derive(Debug)]
struct TooOld(String);

impl std::fmt::Display for TooOld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TooOld {}

async fn migrated(rig: &mut Rig, server: &mut PostgresServer) -> Result<Report> {
    let mut report = Report::default();
    rig.start_workers(2, &[]).await?;
    if let Err(error) = works(rig).await {
        return Err(TooOld(format!("{error:#}").chars().take(150).collect()).into());
    }
    let first = rig.site.clone();
    let second = first.at(free_port()?);
    let mut other = Some(rig.spawn_api("api-2", &second, &[]).await?);
    let balancer = Balancer::start(vec![first, second.clone()]);
    let traffic = Traffic::new(rig, &balancer).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let over = Cell::new(false);
    let waits = LockWaits::watch(rig.admin.clone());
    let url = server.url_of(rig.database())?;
    let changing = async {
        // Something to be in the way of: it has read from both tables, and does not end for longer than processes wait.
        let released = hold(&rig.admin, Duration::from_secs(8)).await?;
        let from = Instant::now();
        let real = apply(&url, &MIGRATOR).await?;
        let real_took = from.elapsed();
        released.await??;
        // Half of the processes are those of the new release.
        rig.use_new_programs()?;
        rig.roll_worker(1).await?;
        if let Some(old) = other.take() {
            old.stop(Duration::from_secs(40)).await?;
        }
        other = Some(rig.spawn_api("api-2", &second, &[]).await?);
        let released = hold(&rig.admin, Duration::from_secs(8)).await?;
        let from = Instant::now();
        let next = apply(&url, &with_next()).await?;
        let next_took = from.elapsed();
        released.await??;
        rig.roll_worker(0).await?;
        rig.roll_api().await?;
        tokio::time::sleep(Duration::from_secs(rig.size.of(10, 2))).await;
        over.set(true);
        anyhow::Ok((real, real_took, next, next_took))
    };
    let (changed, (launched, wrong)) = futures::try_join!(changing, traffic.flow(&over))?;
    let (real, real_took, next, next_took) = changed;
    report.wrong.extend(wrong);
    for action in &launched {
        stretch.add(action);
        let failed = actions::in_state(&rig.admin, action.id, "failed").await?;
        report.check(failed == 0, || format!("{failed} tasks failed"));
        if action.kind == SYNC_TO_REGISTER {
            all_ok(rig, action.id, action.total, &mut report).await?;
        }
    }
    let tally = balancer.tally();
    let (ours, theirs) = waits.end().await;
    let from = if rig.old.is_some() {
        "programs of the release before"
    } else {
        "these programs"
    };
    report.note(format!(
        "{from}; {} missing migrations applied in {} ms, gave way {}; next release: {} in {} ms, gave way {}",
        real.migrations, real_took.as_millis(), real.gave_way, next.migrations, next_took.as_millis(), next.gave_way
    ));
    report.note(format!(
        "longest wait of a process for a lock {} ms, of a migration {} ms; actions {}, requests {}, failed {}, slowest {} ms",
        theirs.as_millis(), ours.as_millis(), launched.len(), tally.requests, tally.failed.len(), tally.slowest.as_millis()
    ));
    report.recovered(theirs, LOCK_TIMEOUT);
    report.check(next.migrations == NEXT.len(), || {
        "the next release was not applied".into()
    });
    report.check(next.gave_way > 0, || "nothing was in the way".into());
    report.wrong.extend(tally.failed);
    strange_answers(rig, &mut report)?;
    rig.site.take_faults();
    stretch.judge(rig, &mut report).await?;
    drop(other);
    Ok(report)
}

/// Whether the programs do their work with the schema as it is.
async fn works(rig: &mut Rig) -> Result<()> {
    let koda = rig.koda().await?;
    koda.post("/v2/enforcement_cases/data_table", serde_json::json!({}))
        .await?
        .expect(200)?;
    let (filters, _) = actions::newest(&rig.admin, None, 20).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    actions::Watch::new(&koda, &action)
        .finish(rig, Duration::from_secs(15))
        .await?;
    let faults = rig.site.take_faults();
    anyhow::ensure!(faults.is_empty(), "{}", faults.join(", "));
    Ok(())
}

/// The migrations there are, and those of a release to come.
fn with_next() -> Migrator {
    let mut all: Vec<Migration> = MIGRATOR.iter().cloned().collect();
    let first = all.last().map_or(1, |last| last.version + 1);
    for (version, (sql, no_tx)) in (first..).zip(NEXT) {
        let sql = sql.into_sql_str();
        all.push(Migration::new(
            version,
            "next".into(),
            MigrationType::Simple,
            sql,
            no_tx,
        ));
    }
    Migrator::with_migrations(all)
}

/// As the program `migrate` does.
async fn apply(url: &str, migrator: &Migrator) -> Result<Applied> {
    let options: PgConnectOptions = url.parse()?;
    let mut conn = options.disable_statement_logging().connect().await?;
    let applied = migrations::apply(&mut conn, migrator, &|_| {}).await?;
    conn.close().await?;
    Ok(applied)
}

/// A transaction that has read from jobs and cases and stays open, as a dump or a long export does.
async fn hold(admin: &PgPool, time: Duration) -> Result<tokio::task::JoinHandle<sqlx::Result<()>>> {
    let mut tx = admin.begin().await?;
    sqlx::raw_sql("lock table jobs, cases in access share mode")
        .execute(&mut *tx)
        .await?;
    Ok(tokio::spawn(async move {
        sqlx::query("select pg_sleep($1)")
            .bind(time.as_secs_f64())
            .execute(&mut *tx)
            .await?;
        tx.rollback().await
    }))
}

/// The longest that anybody has waited for a lock, as PostgreSQL tells it.
struct LockWaits {
    task: tokio::task::JoinHandle<(f64, f64)>,
    end: tokio::sync::oneshot::Sender<()>,
}

impl LockWaits {
    fn watch(admin: PgPool) -> Self {
        let (end, mut ended) = tokio::sync::oneshot::channel();
        let task = tokio::spawn(async move {
            let mut longest = (0.0_f64, 0.0_f64);
            while ended.try_recv().is_err() {
                let now: (f64, f64) = sqlx::query_as(
                    "select coalesce(max(s) filter (where not theirs), 0)::float8, coalesce(max(s) filter (where theirs), 0)::float8
                     from (select extract(epoch from clock_timestamp() - l.waitstart) as s, a.usename like 'toimik\\_%' as theirs
                           from pg_locks l join pg_stat_activity a using (pid)
                           where not l.granted and a.datname = current_database()) w",
                )
                .fetch_one(&admin)
                .await
                .unwrap_or_default();
                longest = (longest.0.max(now.0), longest.1.max(now.1));
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            longest
        });
        Self { task, end }
    }

    /// Of administrators, and of the product's processes.
    async fn end(self) -> (Duration, Duration) {
        let _ = self.end.send(());
        let (ours, theirs) = self.task.await.unwrap_or_default();
        (
            Duration::from_secs_f64(ours.max(0.0)),
            Duration::from_secs_f64(theirs.max(0.0)),
        )
    }
}

/// Words that a process writes when its statements do not fit the schema.
fn strange_answers(rig: &Rig, report: &mut Report) -> Result<()> {
    for entry in std::fs::read_dir(rig.folder.join("log"))? {
        let path: PathBuf = entry?.path();
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        let bad = text.lines().filter(|line| {
            ["cached plan", "does not exist", "has more expressions"]
                .iter()
                .any(|word| line.contains(word))
        });
        let bad: Vec<&str> = bad.collect();
        let name = path
            .file_name()
            .context("a log without a name")?
            .to_string_lossy()
            .into_owned();
        report.check(bad.is_empty(), || {
            format!(
                "{name}: {} statements that do not fit, e.g. {}",
                bad.len(),
                bad[0].chars().take(300).collect::<String>()
            )
        });
    }
    Ok(())
}
