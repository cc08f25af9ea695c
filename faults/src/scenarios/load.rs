//! B39, B40: much at once, and fairness behind it.
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;

use crate::actions::{self, Action, COMPUTE_ISSUER_FEE, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::rig::Rig;
use crate::site::Session;

/// 100,000 messages to a register that takes 20 ms.
pub async fn b39(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    rig.simulator.latency(20, 20).await?;
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, 100_000).await?;
    rig.start_workers(2, &[]).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    let answered = action.launched.elapsed();
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    let mut first = None;
    let (mut window, mut memory, mut redis) = (0, 0, 0);
    let until = Instant::now() + Duration::from_secs(u64::try_from(action.total)? / 100);
    while Instant::now() < until {
        let ended = actions::ended(&rig.admin, action.id).await?;
        if ended > 0 && first.is_none() {
            first = Some(action.launched.elapsed().saturating_sub(answered));
        }
        if ended == action.total {
            break;
        }
        let held: i64 = sqlx::query_scalar(
            "select count(*) from jobs where state in ('dispatched', 'running')",
        )
        .fetch_one(&rig.admin)
        .await?;
        window = window.max(held);
        redis = redis.max(rig.redis.used_memory().await?);
        for worker in &rig.workers {
            memory = memory.max(resident_kb(worker.process.pid)?);
        }
        watch.look().await?;
        let pause = if first.is_none() { 50 } else { 500 };
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }
    let took = watch.finish(rig, Duration::from_secs(60)).await?;
    let rate = action.total / i64::try_from(took.as_secs().max(1))?;
    let first = first.unwrap_or(took);
    report.note(format!(
        "launch {} ms, first task {} ms later, {rate} tasks/s, in Redis at most {window}, worker {} MB, Redis {} MB",
        answered.as_millis(),
        first.as_millis(),
        memory / 1024,
        redis / 1024 / 1024
    ));
    report.check(window <= 2_000, || {
        format!("{window} jobs were out at once")
    });
    report.check(memory < 200 * 1024, || {
        format!("a worker took {} MB", memory / 1024)
    });
    report.check(redis < 20 * 1024 * 1024, || {
        format!("Redis took {redis} bytes")
    });
    report.check(first <= Duration::from_millis(2_500), || {
        format!("the first task ended after {} ms", first.as_millis())
    });
    report.check(rate >= 150, || format!("{rate} tasks/s instead of 150"));
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// Memory of a process in kB.
fn resident_kb(pid: u32) -> Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap_or("0 kB");
    Ok(line.trim().trim_end_matches("kB").trim().parse()?)
}

/// A bureau has 50,000 tasks waiting, another launches ten.
pub async fn b40(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    rig.simulator.latency(20, 80).await?;
    rig.start_workers(2, &[]).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let large = rig.session("taitur", "KT", "101").await?;
    let small = rig.session("taitur2", "KT", "102").await?;
    let koda = rig.koda().await?;
    for (queue, kind, a, b, bar) in [
        ("bulk", COMPUTE_ISSUER_FEE, &large, &small, 3),
        ("register", SYNC_TO_REGISTER, &koda, &koda, 4),
    ] {
        let (filters, _) = actions::newest(&rig.admin, Some(101), 50_000).await?;
        let first = actions::launch(a, kind, &filters).await?;
        stretch.add(&first);
        // Ten times, so that one lucky moment proves nothing.
        let mut slowest = Duration::ZERO;
        let mut behind = 0;
        for _ in 0..10 {
            let second = ten(b, kind).await?;
            let mut watch = Watch::new(b, &second);
            watch.finish(rig, Duration::from_secs(60)).await?;
            slowest = slowest.max(last_end(rig, &second).await?);
            if actions::ended(&rig.admin, first.id).await? < first.total {
                behind += 1;
            }
            stretch.add(&second);
            report.wrong.append(&mut watch.wrong);
        }
        report.note(format!(
            "{queue}: slowest {} ms, {behind} of 10 behind the large one",
            slowest.as_millis()
        ));
        report.check(slowest < Duration::from_secs(bar), || {
            format!(
                "{queue}: the ten were done after {} ms",
                slowest.as_millis()
            )
        });
        report.check(behind > 0, || {
            format!("{queue}: the large action was over too early")
        });
        let cancelled = actions::cancel(a, first.id).await;
        let mut watch = Watch::new(a, &first);
        watch.finish(rig, Duration::from_secs(120)).await?;
        if behind == 10 {
            cancelled?;
        }
        report.wrong.append(&mut watch.wrong);
    }
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// About ten cases of bureau 102.
async fn ten(session: &Session, kind: i64) -> Result<Action> {
    actions::launch(session, kind, &json!({"number": "102/2026/123"})).await
}

/// From the freeze to the end of the last task, by the database's clock.
async fn last_end(rig: &Rig, action: &Action) -> Result<Duration> {
    let ms: i64 = sqlx::query_scalar(
        "select (extract(epoch from max(j.finished_at) - a.cases_frozen_at) * 1000)::bigint
         from bulk_actions a join jobs j on j.bulk_action_id = a.id where a.id = $1 group by a.cases_frozen_at",
    )
    .bind(action.id)
    .fetch_one(&rig.admin)
    .await?;
    Ok(Duration::from_millis(u64::try_from(ms.max(0))?))
}
