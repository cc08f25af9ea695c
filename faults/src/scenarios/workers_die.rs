//! B1, B2, B4, B6: worker processes that die.
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rand::RngExt;
use rand::seq::IndexedRandom;

use crate::actions::{self, COMPUTE_ISSUER_FEE, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::rig::Rig;

const BAR: Duration = Duration::from_secs(30);

/// A dead process whose runs are still its own.
pub(super) struct Dead {
    worker: i64,
    at: Instant,
}

impl Dead {
    pub(super) fn now(worker: i64) -> Self {
        Self {
            worker,
            at: Instant::now(),
        }
    }
}

/// kill -9 of one of two at random moments; the supervisor starts it again.
pub async fn b1(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let (tasks, kills) = (rig.tasks, rig.size.of(20, 3));
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, tasks).await?;
    let fault_free = actions::fault_free(rig, &koda, SYNC_TO_REGISTER, &filters).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut at: Vec<i64> = (0..kills)
        .map(|_| rig.rng.random_range(1..action.total * 9 / 10))
        .collect();
    at.sort_unstable_by(|a, b| b.cmp(a));
    let mut watch = Watch::new(&koda, &action);
    let mut dead: Vec<Dead> = Vec::new();
    let mut in_flight = 0;
    let until = Instant::now() + fault_free * 4 + Duration::from_secs(180);
    while !watch.look().await? || !dead.is_empty() {
        if Instant::now() > until {
            bail!(
                "not over: {}",
                actions::states(&rig.admin, action.id).await?
            );
        }
        let ended = actions::ended(&rig.admin, action.id).await?;
        if at.last().is_some_and(|next| *next <= ended) && ended < action.total {
            at.pop();
            let index = rig.rng.random_range(0..rig.workers.len());
            let worker = rig.worker_id(index).await?;
            rig.replace_worker(index, &[]).await?;
            in_flight += held(rig, worker).await?;
            dead.push(Dead::now(worker));
        }
        release(rig, &mut dead, &mut report).await?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    report.check(at.is_empty(), || {
        format!("{} of {kills} kills never came", at.len())
    });
    let took = watch.finish(rig, Duration::from_secs(60)).await?;
    report.done(took, fault_free);
    let again: i64 =
        sqlx::query_scalar("select sum(runs - 1)::bigint from jobs where bulk_action_id = $1")
            .bind(action.id)
            .fetch_one(&rig.admin)
            .await?;
    report.note(format!(
        "kills {kills}, in flight {in_flight}, re-runs {again}"
    ));
    report.check(again == in_flight, || {
        format!("{in_flight} runs were in flight, and {again} runs more than tasks were made")
    });
    all_ok(rig, action.id, action.total, &mut report).await?;
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// How many runs a process still has.
pub(super) async fn held(rig: &Rig, worker: i64) -> Result<i64> {
    let held =
        sqlx::query_scalar("select count(*) from jobs where worker_id = $1 and state = 'running'")
            .bind(worker)
            .fetch_one(&rig.admin)
            .await?;
    Ok(held)
}

/// Recovery from a kill: the time until the dead process holds no run any more.
pub(super) async fn release(rig: &Rig, dead: &mut Vec<Dead>, report: &mut Report) -> Result<()> {
    let mut kept = Vec::new();
    for one in dead.drain(..) {
        if held(rig, one.worker).await? == 0 {
            report.recovered(one.at.elapsed(), BAR);
        } else {
            kept.push(one);
        }
    }
    *dead = kept;
    Ok(())
}

/// Every task ended well; the only warning is the register's other state, read back.
pub async fn all_ok(rig: &Rig, action: i64, total: i64, report: &mut Report) -> Result<()> {
    let ok: i64 = sqlx::query_scalar(
        "select count(*) from jobs
         where bulk_action_id = $1 and (state = 'ok' or state = 'warning' and output like '%Olek registris on%')",
    )
    .bind(action)
    .fetch_one(&rig.admin)
    .await?;
    if ok != total {
        let states = actions::states(&rig.admin, action).await?;
        report.wrong.push(format!("not all tasks are ok: {states}"));
    }
    Ok(())
}

/// Both workers die and stay away for ten seconds.
pub async fn b2(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
    let fault_free = actions::fault_free(rig, &koda, SYNC_TO_REGISTER, &filters).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    let after = rig.rng.random_range(action.total / 10..action.total / 2);
    while actions::ended(&rig.admin, action.id).await? < after {
        watch.look().await?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut killed = Vec::new();
    for index in 0..rig.workers.len() {
        killed.push(rig.worker_id(index).await?);
    }
    for worker in std::mem::take(&mut rig.workers) {
        worker.process.kill().await?;
    }
    let held: Vec<i64> = sqlx::query_scalar(
        "select id from jobs where bulk_action_id = $1 and state = 'running' and worker_id = any($2)",
    )
    .bind(action.id)
    .bind(&killed)
    .fetch_all(&rig.admin)
    .await?;
    for _ in 0..20 {
        watch.look().await?;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let started = Instant::now();
    rig.start_workers(2, &[]).await?;
    if let Some(_progress) = actions::recovery(&rig.admin, &action, Duration::from_secs(60)).await?
    {
        report.recovered(started.elapsed(), BAR);
    }
    let took = watch
        .finish(rig, fault_free * 3 + Duration::from_secs(180))
        .await?;
    report.done(took, fault_free);
    all_ok(rig, action.id, action.total, &mut report).await?;
    // What was in flight ran once more, and nothing else did.
    let (again, others): (i64, i64) = sqlx::query_as(
        "select count(*) filter (where id = any($2) and runs = 2), count(*) filter (where id <> all($2) and runs <> 1)
         from jobs where bulk_action_id = $1",
    )
    .bind(action.id)
    .bind(&held)
    .fetch_one(&rig.admin)
    .await?;
    report.note(format!("in flight {}, re-run once {again}", held.len()));
    report.check(!held.is_empty(), || "nothing was in flight".into());
    report.check(usize::try_from(again)? == held.len() && others == 0, || {
        format!(
            "{again} of {} in flight ran once more, and {others} others more than once",
            held.len()
        )
    });
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// Workers that abort right after a claim, one delivery in a hundred.
pub async fn b4(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, 1_000).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let points = [("FAILPOINTS", "claimed=1%return".to_owned())];
    rig.start_workers(2, &points).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    let until = Instant::now() + Duration::from_secs(420);
    let mut deaths = 0;
    while !watch.look().await? {
        deaths += rig
            .revive_workers(if deaths < 20 { &points[..] } else { &[] })
            .await?;
        if Instant::now() > until {
            bail!(
                "not over after {deaths} deaths: {}",
                actions::states(&rig.admin, action.id).await?
            );
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    watch.finish(rig, Duration::from_secs(60)).await?;
    report.note(format!("deaths {deaths}"));
    report.check(deaths > 0, || "no worker died".into());
    // A run that broke off before its intent left none: of each death at least the run that it fell on was never sent.
    let (crashed, unsent): (i64, i64) = sqlx::query_as(
        "select (select count(*) from attempts a join jobs j on j.id = a.job_id
                 where j.bulk_action_id = $1 and a.outcome = 'crashed'),
                (select sum(j.runs - o.sent_count)::bigint from jobs j join outward_calls o on o.job_id = j.id
                 where j.bulk_action_id = $1)",
    )
    .bind(action.id)
    .fetch_one(&rig.admin)
    .await?;
    report.note(format!(
        "crashed runs {crashed}, without an intent {unsent}"
    ));
    report.check(crashed > 0, || "no run was noted as crashed".into());
    report.check(unsent >= i64::try_from(deaths)?, || {
        format!("{deaths} processes died before the intent, and {unsent} runs have none")
    });
    all_ok(rig, action.id, action.total, &mut report).await?;
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// One case in 500 aborts the process that works on it.
pub async fn b6(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let kt = rig.session("taitur", "KT", "101").await?;
    let (filters, total) = actions::newest(&rig.admin, Some(101), 1_500).await?;
    let cases: Vec<i64> = sqlx::query_scalar(
        "select id from cases where prefix = 101 order by date_opened desc limit $1",
    )
    .bind(total)
    .fetch_all(&rig.admin)
    .await?;
    let count = usize::try_from(total / 500)?.max(1);
    let pills: Vec<i64> = cases.sample(&mut rig.rng, count).copied().collect();
    let points: Vec<String> = pills
        .iter()
        .map(|case| format!("case-{case}=return"))
        .collect();
    let points = [("FAILPOINTS", points.join(";"))];
    let mut stretch = Stretch::begin(rig).await?;
    rig.start_workers(2, &points).await?;
    let action = actions::launch(&kt, COMPUTE_ISSUER_FEE, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&kt, &action);
    let until = Instant::now() + Duration::from_secs(600);
    let mut deaths = 0;
    while !watch.look().await? {
        deaths += rig.revive_workers(&points).await?;
        if Instant::now() > until {
            bail!(
                "not over after {deaths} deaths: {}",
                actions::states(&rig.admin, action.id).await?
            );
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let took = watch.finish(rig, Duration::from_secs(60)).await?;
    report.note(format!(
        "pills {count}, deaths {deaths}, done in {} s",
        took.as_secs()
    ));
    let failed: Vec<(i64, String, i16)> = sqlx::query_as(
        "select case_id, coalesce(error_code, ''), crashes from jobs where bulk_action_id = $1 and state = 'failed'",
    )
    .bind(action.id)
    .fetch_all(&rig.admin)
    .await?;
    report.check(failed.len() == count, || {
        format!("{} tasks failed instead of {count}", failed.len())
    });
    for (case, code, crashes) in &failed {
        report.check(
            pills.contains(case) && code == "worker_crashed" && *crashes == 3,
            || format!("case {case} failed by {code} after {crashes} crashes alone"),
        );
    }
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}
