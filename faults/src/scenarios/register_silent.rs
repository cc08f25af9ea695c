//! B3, B25: the register has accepted and its caller never learns it.
use std::collections::HashSet;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rand::seq::IndexedRandom;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::actions::{self, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::rig::Rig;
use crate::scenarios::workers_die::all_ok;

/// 50 chosen messages kill the worker that sent them; with the state service, then without.
pub async fn b3(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    for service in [true, false] {
        killed_after_yes(rig, service, &mut report).await?;
    }
    Ok(report)
}

async fn killed_after_yes(rig: &mut Rig, service: bool, report: &mut Report) -> Result<()> {
    let koda = rig.koda().await?;
    let (filters, total) = actions::newest(&rig.admin, None, 1_000).await?;
    let numbers: Vec<String> = sqlx::query_scalar(
        "select prefix || '/' || year || '/' || index from cases order by date_opened desc limit $1",
    )
    .bind(total)
    .fetch_all(&rig.admin)
    .await?;
    let chosen: Vec<String> = numbers.sample(&mut rig.rng, 50).cloned().collect();
    let (port, mut hooks) = listen().await?;
    rig.simulator.reset().await?;
    rig.simulator
        .settings(json!({"latency_ms": [20, 80], "state_service": service}))
        .await?;
    rig.simulator
        .script(json!([{
            "operation": "TaitemenetluseMuutmineTa", "numbers": chosen, "times_per_number": 1,
            "act": {"kill_hook": {"url": format!("http://127.0.0.1:{port}/")}}
        }]))
        .await?;
    let mut stretch = Stretch::begin(rig).await?;
    rig.start_workers(2, &[]).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    let until = Instant::now() + Duration::from_secs(600);
    let mut kills = 0;
    while !watch.look().await? {
        if Instant::now() > until {
            bail!(
                "not over after {kills} kills: {}",
                actions::states(&rig.admin, action.id).await?
            );
        }
        while let Ok(message) = hooks.try_recv() {
            kills += kill_sender(rig, &message).await?;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    watch.finish(rig, Duration::from_secs(60)).await?;
    let hit = rig.simulator.applied().await?;
    let wanted: HashSet<&String> = chosen.iter().collect();
    let ok: Vec<String> = sqlx::query_scalar(
        "select c.prefix || '/' || c.year || '/' || c.index from jobs j join cases c on c.id = j.case_id
         where j.bulk_action_id = $1 and j.state = 'ok'",
    )
    .bind(action.id)
    .fetch_all(&rig.admin)
    .await?;
    let good = ok.iter().filter(|number| wanted.contains(number)).count();
    let with = if service { "with" } else { "without" };
    report.note(format!(
        "{with} state service: {good}/50 ok, hooks {hit}, kills {kills}"
    ));
    report.check(good == 50 && hit == 50, || {
        format!("{with} state service {good} of 50 are ok, {hit} were hit")
    });
    report.check(kills > 0, || "no worker was killed".into());
    all_ok(rig, action.id, action.total, report).await?;
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, report).await?;
    rig.stop_workers().await
}

/// Kills the process whose run sent the message; 0 when it is gone already.
async fn kill_sender(rig: &mut Rig, message: &str) -> Result<usize> {
    let pid: Option<i32> = sqlx::query_scalar(
        "select w.pid from outward_calls o join jobs j on j.id = o.job_id join workers w on w.id = j.worker_id
         where o.message_id = $1::text::uuid and j.state = 'running'",
    )
    .bind(message)
    .fetch_optional(&rig.admin)
    .await?;
    let Some(pid) = pid.and_then(|pid| u32::try_from(pid).ok()) else {
        return Ok(0);
    };
    let Some(index) = rig
        .workers
        .iter()
        .position(|worker| worker.process.pid == pid)
    else {
        return Ok(0);
    };
    rig.replace_worker(index, &[]).await?;
    Ok(1)
}

/// Hears the simulator's hooks and passes on the message ids.
async fn listen() -> Result<(u16, mpsc::UnboundedReceiver<String>)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let port = listener.local_addr()?.port();
    let (tell, heard) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let tell = tell.clone();
            tokio::spawn(async move {
                let mut text = Vec::new();
                let mut piece = [0; 4096];
                while let Ok(length @ 1..) = stream.read(&mut piece).await {
                    text.extend_from_slice(&piece[..length]);
                    let Some(end) = text.windows(4).position(|four| four == b"\r\n\r\n") else {
                        continue;
                    };
                    let Ok(body) = serde_json::from_slice::<Value>(&text[end + 4..]) else {
                        continue;
                    };
                    if let Some(id) = body["message_id"].as_str() {
                        let _ = tell.send(id.to_owned());
                    }
                    break;
                }
                let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
                let _ = stream.write_all(answer).await;
            });
        }
    });
    Ok((port, heard))
}

/// One message in twenty is accepted and answered after the caller has given up; then the service that tells a case's state
/// says nothing at all.
pub async fn b25(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let koda = rig.koda().await?;
    let short: &[(&str, String)] = &[("XROAD_CALL_TIMEOUT_MS", "2000".into())];
    for (service, operation, share, hold_ms, workers, tasks) in [
        (true, "TaitemenetluseMuutmineTa", 0.05, 8_000, short, 1_000),
        (false, "TaitemenetluseMuutmineTa", 0.05, 8_000, short, 1_000),
        (true, "TaitemenetluseOlek", 1.0, 120_000, &[][..], 60),
    ] {
        let (filters, _) = actions::newest(&rig.admin, None, tasks).await?;
        rig.simulator.reset().await?;
        rig.simulator
            .settings(json!({"latency_ms": [20, 80], "hold_ms": hold_ms, "state_service": service}))
            .await?;
        rig.simulator
            .script(json!([{
                "operation": operation, "share": share, "seed": rig.seed, "times_per_number": 1,
                "act": "timeout_after_accept"
            }]))
            .await?;
        let mut stretch = Stretch::begin(rig).await?;
        rig.start_workers(2, workers).await?;
        let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
        stretch.add(&action);
        let mut watch = Watch::new(&koda, &action);
        let took = watch.finish(rig, Duration::from_secs(300)).await?;
        let silent = rig.simulator.applied().await?;
        let with = if service { "with" } else { "without" };
        report.note(format!(
            "{operation} {with} state service: silent {silent}, done in {} s",
            took.as_secs()
        ));
        report.check(silent > 0, || "no answer was held back".into());
        all_ok(rig, action.id, action.total, &mut report).await?;
        report.wrong.append(&mut watch.wrong);
        stretch.judge(rig, &mut report).await?;
        rig.stop_workers().await?;
    }
    Ok(report)
}
