//! B32: the disk of the database is full.
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::json;
use sqlx::{AssertSqlSafe, PgPool};

use crate::actions::{self, Action, COMPUTE_ISSUER_FEE, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::postgres_server::{PostgresServer, with_own};
use crate::rig::{Plan, Rig};
use crate::scenarios::disk::Small;
use crate::scenarios::redis_gone::until_under_way;
use crate::scenarios::workers_die::all_ok;

pub async fn b32(rig: &mut Rig) -> Result<Report> {
    let plan = Plan::of(rig.size.of(8_000, 2_500));
    with_own(rig, "b32", plan, filled).await
}

/// Everything of the product lies on a small disk, which is filled to its last page while an action runs and others are
/// launched: each launch is whole, or refused and leaves nothing.
async fn filled(rig: &mut Rig, server: &mut PostgresServer) -> Result<Report> {
    let mut report = Report::default();
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
    actions::fault_free(rig, &koda, SYNC_TO_REGISTER, &filters).await?;
    let (all, total) = actions::newest(&rig.admin, None, rig.size.of(7_000, 2_000)).await?;
    let small = move_to_small(rig, server, 5 * total + rig.tasks).await?;
    let mut waiting = Vec::new();
    for _ in 0..5 {
        waiting.push(actions::create(&koda, COMPUTE_ISSUER_FEE).await?);
    }
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    until_under_way(rig, &action, &mut watch).await?;
    let refusal = fill(&rig.admin).await?;
    let from = Instant::now();
    let body = json!({"filters": all, "includeCasesWithProblems": true});
    let (mut told, mut whole) = (0, 0);
    while from.elapsed() < Duration::from_secs(rig.size.of(15, 6)) {
        for id in &waiting {
            let path = format!("/v2/bulk_actions/{id}/cases");
            let answer = koda.post(&path, body.clone()).await?;
            match answer.status {
                503 => told += 1,
                // What is frozen stays frozen.
                200 | 409 => whole += 1,
                other => report
                    .wrong
                    .push(format!("a launch was answered {other}: {}", answer.body)),
            }
        }
        partial(rig, &waiting, total, &mut report).await?;
        watch.look().await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let moment = actions::moment(&rig.admin).await?;
    sqlx::query("drop table ballast")
        .execute(&rig.admin)
        .await?;
    let freed = Instant::now();
    if actions::fresh(&rig.admin, &action, moment, Duration::from_secs(90))
        .await?
        .is_some()
    {
        report.recovered(freed.elapsed(), Duration::from_secs(30));
    }
    report.note(format!("{refusal}; launches refused {told}, whole {whole}"));
    report.check(told > 0, || "no launch felt the full disk".into());
    // All of them go through now.
    for id in waiting {
        let path = format!("/v2/bulk_actions/{id}/cases");
        let answer = koda.post(&path, body.clone()).await?;
        report.check([200, 409].contains(&answer.status), || {
            format!("after freeing a launch was answered {}", answer.status)
        });
        let launched = Action {
            id,
            kind: COMPUTE_ISSUER_FEE,
            total,
            launched: Instant::now(),
        };
        actions::cancel(&koda, id).await.ok();
        let mut other = Watch::new(&koda, &launched);
        other.finish(rig, Duration::from_secs(300)).await?;
        report.wrong.append(&mut other.wrong);
        stretch.add(&launched);
    }
    let took = watch.finish(rig, Duration::from_secs(600)).await?;
    report.note(format!("done in {} s", took.as_secs()));
    all_ok(rig, action.id, action.total, &mut report).await?;
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    rig.stop_workers().await?;
    rig.kill_api().await?;
    move_all(&rig.admin, "small", "pg_default").await?;
    sqlx::query("drop tablespace small")
        .execute(&rig.admin)
        .await?;
    drop(small);
    Ok(report)
}

/// Each action has all of its tasks, or none and is not frozen.
async fn partial(rig: &Rig, actions: &[i64], total: i64, report: &mut Report) -> Result<()> {
    let partial: Vec<i64> = sqlx::query_scalar(
        "select a.id from bulk_actions a,
                lateral (select count(*) as tasks from jobs where bulk_action_id = a.id) j
         where a.id = any($1)
           and not (tasks = 0 and cases_frozen_at is null or tasks = $2 and a.total = $2 and cases_frozen_at is not null)",
    )
    .bind(actions)
    .bind(total)
    .fetch_all(&rig.admin)
    .await?;
    report.check(partial.is_empty(), || {
        format!("actions with a part of their tasks: {partial:?}")
    });
    Ok(())
}

/// A tablespace with room for what there is and for the work on so many tasks.
async fn move_to_small(rig: &Rig, server: &PostgresServer, tasks: i64) -> Result<Small> {
    let bytes: i64 = sqlx::query_scalar("select pg_database_size(current_database())")
        .fetch_one(&rig.admin)
        .await?;
    let at = server.folder.join("small");
    let owner = std::fs::metadata(server.folder.join("data"))?.uid();
    // A task takes some 2 kB with its versions, indexes and attempts.
    let megabytes = bytes / (1024 * 1024) + 24 + tasks / 256;
    let small = Small::mount(&at, &format!("size={megabytes}m,mode=700,uid={owner}")).await?;
    let make = format!("create tablespace small location '{}'", at.display());
    sqlx::query(AssertSqlSafe(make)).execute(&rig.admin).await?;
    move_all(&rig.admin, "pg_default", "small").await?;
    Ok(small)
}

async fn move_all(admin: &PgPool, from: &str, to: &str) -> Result<()> {
    for what in ["table", "index"] {
        let text = format!("alter {what} all in tablespace {from} set tablespace {to}");
        sqlx::query(AssertSqlSafe(text))
            .execute(admin)
            .await
            .with_context(|| format!("moving each {what}"))?;
    }
    Ok(())
}

/// Fills the small disk by a statement that fails for it: its pages stay. Returns what PostgreSQL said.
async fn fill(admin: &PgPool) -> Result<String> {
    sqlx::raw_sql(
        "create table ballast (x text) with (autovacuum_enabled = false) tablespace small",
    )
    .execute(admin)
    .await?;
    let more = "insert into ballast select repeat('x', 1900) from generate_series(1, 10000000)";
    match sqlx::query(more).execute(admin).await {
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("53100") => {
            Ok("PostgreSQL said 53100".into())
        }
        Err(error) => Err(error.into()),
        Ok(_) => anyhow::bail!("the disk does not get full"),
    }
}
