//! B24: the register answers every call with HTTP 500 for minutes, then is back.
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use chrono::{DateTime, Utc};
use serde_json::json;

use crate::actions::{self, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::rig::Rig;
use crate::scenarios::workers_die::all_ok;

/// From one probe to the next.
const PROBE: Duration = Duration::from_secs(15);

/// The breaker opens, one call each 15 s tries the register, no task burns its tries, and afterwards the rate rises from 5/s.
pub async fn b24(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let away = rig
        .size
        .of(Duration::from_secs(300), Duration::from_secs(50));
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
    let mut stretch = Stretch::begin(rig).await?;
    rig.start_workers(2, &[]).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    while actions::ended(&rig.admin, action.id).await? < action.total / 20 {
        watch.look().await?;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    rig.simulator.script(json!([{"act": "http500"}])).await?;
    let from = Instant::now();
    until(rig, &mut watch, "opened_at", Duration::from_secs(30)).await?;
    report.note(format!("open after {} ms", from.elapsed().as_millis()));
    // What had its slot already goes.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (calls, before) = (rig.simulator.calls().await?, burnt(rig, action.id).await?);
    let quiet = Instant::now();
    while from.elapsed() < away {
        watch.look().await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let probes = rig.simulator.calls().await? - calls;
    let most = quiet.elapsed().as_secs() / PROBE.as_secs() + 1;
    report.note(format!("calls while open {probes}"));
    report.check((1..=most).contains(&probes), || {
        format!("{probes} calls while open, 1 to {most} are due")
    });
    let burnt = burnt(rig, action.id).await? - before;
    report.check(burnt == 0, || format!("{burnt} tries burnt while open"));

    rig.simulator.reset().await?;
    rig.simulator.latency(20, 80).await?;
    let back = Instant::now();
    let closed_at = until(rig, &mut watch, "closed_at", Duration::from_secs(60)).await?;
    report.recovered(back.elapsed(), PROBE + Duration::from_secs(5));
    // The rows' clock and the simulator's are this machine's.
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        watch.look().await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let log = rig.simulator.log().await?;
    for (step, rate) in [5, 10, 20, 40].into_iter().enumerate() {
        let start = closed_at + chrono::Duration::seconds(5 * i64::try_from(step)?);
        let end = start + chrono::Duration::seconds(5);
        let calls = log.iter().filter(|at| (start..end).contains(*at)).count();
        report.note(format!("{rate}/s: {calls} calls in 5 s"));
        // Some have their slot a quarter of a second before they arrive.
        let most = rate * 5 + rate / 4 + 2;
        report.check((rate * 5 / 2..=most).contains(&calls), || {
            format!("{calls} calls in 5 s at {rate} a second")
        });
    }
    watch.finish(rig, Duration::from_secs(600)).await?;
    all_ok(rig, action.id, action.total, &mut report).await?;
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// Waits until the breaker has noted that moment, and says which.
async fn until(
    rig: &Rig,
    watch: &mut Watch,
    moment: &str,
    most: Duration,
) -> Result<DateTime<Utc>> {
    let from = Instant::now();
    while from.elapsed() < most {
        let noted: Option<DateTime<Utc>> = sqlx::query_scalar(
            "select case $1 when 'opened_at' then opened_at else closed_at end from registers where name = 'tarn'",
        )
        .bind(moment)
        .fetch_one(&rig.admin)
        .await?;
        if let Some(noted) = noted {
            return Ok(noted);
        }
        watch.look().await?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!("the register has no {moment} after {} s", most.as_secs())
}

/// Failures that count against the tasks of an action.
async fn burnt(rig: &Rig, action: i64) -> Result<i64> {
    Ok(sqlx::query_scalar(
        "select coalesce(sum(failures), 0)::bigint from jobs where bulk_action_id = $1",
    )
    .bind(action)
    .fetch_one(&rig.admin)
    .await?)
}
