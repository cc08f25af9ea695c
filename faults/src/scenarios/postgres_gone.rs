//! B18: PostgreSQL stops at once, again and again.
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::actions::{self, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::postgres_server::{PostgresServer, with_own};
use crate::rig::{Plan, Rig};
use crate::scenarios::redis_gone::{moments, until_ended};
use crate::scenarios::workers_die::all_ok;

pub async fn b18(rig: &mut Rig) -> Result<Report> {
    let plan = Plan::of(rig.size.of(8_000, 2_500));
    with_own(rig, "b18", plan, stopped).await
}

/// Ten seconds without it each time; what was committed is there afterwards, and what was not was never told as done.
async fn stopped(rig: &mut Rig, server: &mut PostgresServer) -> Result<Report> {
    let mut report = Report::default();
    let stops = rig.size.of(5, 2);
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
    let fault_free = actions::fault_free(rig, &koda, SYNC_TO_REGISTER, &filters).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    let mut felt = 0;
    for after in moments(rig, &action, stops) {
        until_ended(rig, &action, after, &mut watch).await?;
        server.stop_at_once().await?;
        let down = Instant::now();
        while down.elapsed() < Duration::from_secs(10) {
            watch.look().await?;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        server.up().await?;
        let up = Instant::now();
        let moment = actions::moment(&rig.admin).await?;
        let most = Duration::from_secs(60);
        if actions::fresh(&rig.admin, &action, moment, most)
            .await?
            .is_some()
        {
            report.recovered(up.elapsed(), Duration::from_secs(20));
            felt += 1;
        }
    }
    let took = watch.finish(rig, Duration::from_secs(600)).await?;
    report.note(format!(
        "stopped {stops} times, {felt} with tasks left; done in {} s, fault-free {} s",
        took.as_secs(),
        fault_free.as_secs()
    ));
    report.check(felt > 0, || "every stop came too late".into());
    all_ok(rig, action.id, action.total, &mut report).await?;
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}
