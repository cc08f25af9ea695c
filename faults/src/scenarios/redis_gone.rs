//! B12, B13: Redis goes away, with and without what it held.
use std::time::{Duration, Instant};

use anyhow::Result;
use rand::RngExt;

use crate::actions::{self, Action, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::rig::Rig;

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

/// Waits for a random share of the first half.
async fn until_under_way(rig: &mut Rig, action: &Action, watch: &mut Watch) -> Result<()> {
    let after = rig.rng.random_range(action.total / 20..action.total / 2);
    let until = Instant::now() + Duration::from_secs(300);
    while actions::ended(&rig.admin, action.id).await? < after && Instant::now() < until {
        watch.look().await?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}
