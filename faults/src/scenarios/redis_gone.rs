//! B12, B13, B14: Redis goes away, with and without what it held, or forgets and runs on.
use std::time::{Duration, Instant};

use anyhow::Result;
use rand::RngExt;

use crate::actions::{self, Action, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::rig::Rig;
use crate::scenarios::workers_die::all_ok;

/// An orderly stop, 30 s without Redis, a start with everything: the api accepts all the while.
pub async fn b12(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
    let fault_free = actions::fault_free(rig, &koda, SYNC_TO_REGISTER, &filters).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    until_under_way(rig, &action, &mut watch).await?;
    rig.redis.stop().await?;
    let (few, _) = actions::newest(&rig.admin, None, 200).await?;
    let second = actions::launch(&koda, SYNC_TO_REGISTER, &few).await?;
    stretch.add(&second);
    report.check(rig.site.is_ready().await, || {
        "the api is not ready without Redis".into()
    });
    for _ in 0..30 {
        watch.look().await?;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    rig.redis.up().await?;
    let bar = Duration::from_secs(20);
    if let Some(after) = actions::recovery(&rig.admin, &action, Duration::from_secs(60)).await? {
        report.recovered(after, bar);
    }
    let most = fault_free * 3 + Duration::from_secs(180);
    let took = watch.finish(rig, most).await?;
    let mut other = Watch::new(&koda, &second);
    other.finish(rig, most).await?;
    report.done(took, fault_free);
    report.wrong.append(&mut watch.wrong);
    report.wrong.append(&mut other.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// kill -9, an empty Redis in its place: the dispatcher fills it again from the rows.
pub async fn b13(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let tasks = rig.tasks;
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, tasks).await?;
    let fault_free = actions::fault_free(rig, &koda, SYNC_TO_REGISTER, &filters).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    until_under_way(rig, &action, &mut watch).await?;
    rig.redis.lose().await?;
    let away = rig.moment(Duration::from_secs(3));
    tokio::time::sleep(away).await;
    rig.redis.up().await?;
    let started = Instant::now();
    let bar = Duration::from_secs(30);
    if actions::recovery(&rig.admin, &action, Duration::from_secs(60))
        .await?
        .is_some()
    {
        report.recovered(started.elapsed(), bar);
    }
    let took = watch
        .finish(rig, fault_free * 3 + Duration::from_secs(180))
        .await?;
    report.done(took, fault_free);
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// FLUSHALL at random moments: the dispatcher and the workers notice it by what is missing, since the server runs on.
pub async fn b14(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let flushes = rig.size.of(5, 2);
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
    let fault_free = actions::fault_free(rig, &koda, SYNC_TO_REGISTER, &filters).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    let mut felt = 0;
    for after in moments(rig, &action, flushes) {
        until_ended(rig, &action, after, &mut watch).await?;
        rig.redis.flush().await?;
        let moment = actions::moment(&rig.admin).await?;
        let most = Duration::from_secs(60);
        if let Some(after) = actions::fresh(&rig.admin, &action, moment, most).await? {
            report.recovered(after, Duration::from_secs(30));
            felt += 1;
        }
    }
    let took = watch
        .finish(rig, fault_free * 3 + Duration::from_secs(180))
        .await?;
    report.done(took, fault_free);
    report.note(format!("flushed {flushes} times, {felt} with tasks left"));
    report.check(felt > 0, || "every flush came too late".into());
    // Each process is a worker of each queue again.
    let wanted = u64::try_from(rig.workers.len())?;
    let until = Instant::now() + Duration::from_secs(30);
    while rig.redis.workers("register").await? < wanted && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let back = rig.redis.workers("register").await?;
    report.check(back >= wanted, || {
        format!("{back} of {wanted} workers registered again")
    });
    all_ok(rig, action.id, action.total, &mut report).await?;
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// So many numbers of ended tasks, rising, within the first nine tenths.
pub(super) fn moments(rig: &mut Rig, action: &Action, count: usize) -> Vec<i64> {
    let mut at: Vec<i64> = (0..count)
        .map(|_| rig.rng.random_range(1..action.total * 9 / 10))
        .collect();
    at.sort_unstable();
    at
}

/// Waits until so many tasks have ended.
pub(super) async fn until_ended(
    rig: &Rig,
    action: &Action,
    after: i64,
    watch: &mut Watch,
) -> Result<()> {
    let until = Instant::now() + Duration::from_secs(300);
    while actions::ended(&rig.admin, action.id).await? < after && Instant::now() < until {
        watch.look().await?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

/// Waits for a random share of the first half.
pub(super) async fn until_under_way(
    rig: &mut Rig,
    action: &Action,
    watch: &mut Watch,
) -> Result<()> {
    let after = rig.rng.random_range(action.total / 20..action.total / 2);
    until_ended(rig, action, after, watch).await
}
