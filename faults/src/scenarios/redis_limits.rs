//! B15, B16: a Redis that takes nothing more, and one that would throw keys away.
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::actions::{self, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::rig::Rig;
use crate::scenarios::redis_gone::until_under_way;
use crate::scenarios::workers_die::all_ok;

/// Redis is full: what waits stays in PostgreSQL, workers say that they are not ready, the api accepts all the while.
pub async fn b15(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
    let fault_free = actions::fault_free(rig, &koda, SYNC_TO_REGISTER, &filters).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    until_under_way(rig, &action, &mut watch).await?;
    let most = rig.redis.used_memory().await? + 1024 * 1024;
    rig.redis.set("maxmemory", &most.to_string()).await?;
    rig.redis.fill().await?;
    let from = Instant::now();
    let (few, _) = actions::newest(&rig.admin, None, 200).await?;
    let second = actions::launch(&koda, SYNC_TO_REGISTER, &few).await?;
    stretch.add(&second);
    report.check(rig.site.is_ready().await, || {
        "the api is not ready while Redis is full".into()
    });
    let (mut red, mut held) = (vec![false; rig.workers.len()], 0);
    while from.elapsed() < Duration::from_secs(rig.size.of(20, 6)) {
        watch.look().await?;
        for (index, red) in red.iter_mut().enumerate() {
            // What the workers take out makes room, and room is taken right before each is asked.
            rig.redis.fill().await?;
            *red |= !rig.is_worker_ready(index).await?;
        }
        held = held.max(out(rig).await?);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let moment = actions::moment(&rig.admin).await?;
    let waiting = actions::in_state(&rig.admin, action.id, "queued").await?
        + actions::in_state(&rig.admin, second.id, "queued").await?;
    rig.redis.set("maxmemory", "0").await?;
    rig.redis.unload().await?;
    let raised = Instant::now();
    if actions::fresh(&rig.admin, &action, moment, Duration::from_secs(60))
        .await?
        .is_some()
    {
        report.recovered(raised.elapsed(), Duration::from_secs(20));
    }
    for index in 0..rig.workers.len() {
        while !rig.is_worker_ready(index).await? {
            if raised.elapsed() > Duration::from_secs(30) {
                bail!("worker {index} is not ready again");
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    report.note(format!(
        "{waiting} tasks waited in PostgreSQL, {held} were out at most; not ready: {} of {} workers",
        red.iter().filter(|red| **red).count(),
        red.len()
    ));
    report.check(red.iter().all(|red| *red), || {
        "a worker said it was ready while Redis was full".into()
    });
    report.check(waiting > 0, || "nothing waited any more".into());
    report.check(held <= 2_000, || format!("{held} jobs were out at once"));
    let most = fault_free * 3 + Duration::from_secs(180);
    let took = watch.finish(rig, most).await?;
    let mut other = Watch::new(&koda, &second);
    other.finish(rig, most).await?;
    report.done(took, fault_free);
    all_ok(rig, action.id, action.total, &mut report).await?;
    report.wrong.append(&mut watch.wrong);
    report.wrong.append(&mut other.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// Jobs that are dispatched or run.
async fn out(rig: &Rig) -> Result<i64> {
    Ok(
        sqlx::query_scalar("select count(*) from jobs where state in ('dispatched', 'running')")
            .fetch_one(&rig.admin)
            .await?,
    )
}

/// Every policy but one: a worker process ends at once and says why in one sentence. No other process speaks to Redis.
pub async fn b16(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let stretch = Stretch::begin(rig).await?;
    let most = Duration::from_secs(5);
    let mut slowest = Duration::ZERO;
    for policy in [
        "allkeys-lru",
        "allkeys-lfu",
        "allkeys-random",
        "volatile-lru",
        "volatile-lfu",
        "volatile-random",
        "volatile-ttl",
    ] {
        rig.redis.set("maxmemory-policy", policy).await?;
        let from = Instant::now();
        let mut worker = rig.start_worker(&[]).await?;
        let code = worker.process.end(most).await?;
        slowest = slowest.max(from.elapsed());
        report.check(code.is_some_and(|code| code != 0), || match code {
            None => format!("{policy}: the process is up after 5 s"),
            Some(code) => format!("{policy}: the process ended with {code}"),
        });
        let log = rig.folder.join(format!("log/{}.log", worker.process.name));
        let text = std::fs::read_to_string(log)?;
        let wanted = format!("jobs: Redis must have maxmemory-policy noeviction, not {policy}.");
        let last = text.lines().last().unwrap_or_default();
        report.check(last == wanted, || format!("{policy}: it said \"{last}\""));
    }
    rig.redis.set("maxmemory-policy", "noeviction").await?;
    rig.start_workers(1, &[]).await?;
    report.note(format!(
        "7 policies refused, slowest end {} ms",
        slowest.as_millis()
    ));
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}
