//! B19, B23, B35: connections that break, between worker and database and between browser and api.
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use reqwest::Method;
use reqwest::header::ACCEPT;
use serde_json::json;

use crate::actions::{self, COMPUTE_ISSUER_FEE, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::proxy::{Mode, Proxy};
use crate::rig::Rig;
use crate::scenarios::workers_die::all_ok;

/// One of two workers cannot reach PostgreSQL for a minute, first cut, then half-open: the other takes over.
pub async fn b19(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    rig.simulator.latency(300, 600).await?;
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
    for mode in [Mode::Cut, Mode::HalfOpen] {
        let mut stretch = Stretch::begin(rig).await?;
        rig.start_workers(2, &[]).await?;
        let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
        stretch.add(&action);
        let mut watch = Watch::new(&koda, &action);
        while actions::ended(&rig.admin, action.id).await? < 200 {
            watch.look().await?;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let cut = rig.worker_id(0).await?;
        rig.workers[0].proxy.set(mode);
        let from = Instant::now();
        let mut taken_over = None;
        while from.elapsed() < Duration::from_secs(60) {
            watch.look().await?;
            let held: i64 = sqlx::query_scalar(
                "select count(*) from jobs where worker_id = $1 and state = 'running'",
            )
            .bind(cut)
            .fetch_one(&rig.admin)
            .await?;
            if held == 0 && taken_over.is_none() {
                taken_over = Some(from.elapsed());
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        match taken_over {
            Some(after) => report.recovered(after, Duration::from_secs(45)),
            None => report.wrong.push(format!(
                "{mode:?}: the runs of the cut worker were never taken over"
            )),
        }
        let (crashed, since): (i64, i64) = sqlx::query_as(
            "select count(*) filter (where a.outcome = 'crashed' and a.worker_id = $2),
                    count(*) filter (where a.worker_id <> $2 and a.finished_at > clock_timestamp() - interval '30 s')
             from attempts a join jobs j on j.id = a.job_id where j.bulk_action_id = $1",
        )
        .bind(action.id)
        .bind(cut)
        .fetch_one(&rig.admin)
        .await?;
        report.check(crashed > 0, || {
            format!("{mode:?}: the cut worker lost no run")
        });
        report.check(since > 0, || {
            format!("{mode:?}: the other worker did not go on")
        });
        rig.workers[0].proxy.set(Mode::Pass);
        let took = watch.finish(rig, Duration::from_secs(600)).await?;
        report.note(format!(
            "{mode:?}: {crashed} runs taken over, done in {} s",
            took.as_secs()
        ));
        all_ok(rig, action.id, action.total, &mut report).await?;
        report.wrong.append(&mut watch.wrong);
        stretch.judge(rig, &mut report).await?;
        rig.stop_workers().await?;
    }
    Ok(report)
}

/// Callers hang up at any moment of a write: nothing stays open, and later calls commit what they say.
pub async fn b23(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let rounds = 1_000;
    let kt = rig.session("taitur", "KT", "101").await?;
    let (filters, _) = actions::newest(&rig.admin, Some(101), 50).await?;
    let stretch = Stretch::begin(rig).await?;
    // Moments are drawn over what a call takes here and now.
    let sample = Instant::now();
    for _ in 0..5 {
        actions::launch(&kt, COMPUTE_ISSUER_FEE, &filters).await?;
    }
    let mut whole = sample.elapsed() / 10;
    // Every fourth call goes through a proxy that tears it; the others are dropped by the client itself.
    let target = std::net::SocketAddr::from(([127, 0, 0, 1], rig.site.port()));
    let (mut hung_up, mut answered, mut in_flight) = (0, 0, Vec::new());
    for round in 0..rounds {
        let asked = Instant::now();
        let id = actions::create(&kt, COMPUTE_ISSUER_FEE).await?;
        whole = (whole * 9 + asked.elapsed()) / 10;
        let call = kt
            .request(Method::POST, &format!("/v2/bulk_actions/{id}/cases"))
            .json(&json!({"filters": filters, "includeCasesWithProblems": true}));
        let (client, request) = call.build_split();
        let mut request = request?;
        let proxy = if round % 4 == 0 {
            let proxy = Proxy::start(target).await?;
            proxy.set(Mode::Latency(Duration::from_millis(2)));
            Some(proxy)
        } else {
            None
        };
        if let Some(proxy) = &proxy {
            request
                .url_mut()
                .set_port(Some(proxy.port))
                .map_err(|()| anyhow::anyhow!("no port"))?;
        }
        let wait = rig.moment(whole * 3);
        in_flight.push(tokio::spawn(async move {
            let call = client.execute(request);
            let outcome = tokio::time::timeout(wait, call).await;
            if let Some(proxy) = proxy {
                proxy.set(Mode::Reset);
                tokio::task::yield_now().await;
            }
            outcome.is_ok()
        }));
        if in_flight.len() == 20 {
            for one in in_flight.drain(..) {
                if one.await? {
                    answered += 1
                } else {
                    hung_up += 1
                }
            }
        }
    }
    for one in in_flight.drain(..) {
        if one.await? {
            answered += 1
        } else {
            hung_up += 1
        }
    }
    report.note(format!("hung up {hung_up}, answered {answered}"));
    report.check(hung_up > rounds / 3, || "too few hung up in time".into());
    quiet(rig, Duration::from_secs(15)).await?;
    // Each pooled connection serves at least one of these; a leaked transaction would keep its rows to itself.
    for _ in 0..60 {
        let id = actions::create(&kt, COMPUTE_ISSUER_FEE).await?;
        let seen: bool =
            sqlx::query_scalar("select exists (select from bulk_actions where id = $1)")
                .bind(id)
                .fetch_one(&rig.admin)
                .await?;
        report.check(seen, || {
            format!("action {id} was answered and is not committed")
        });
    }
    let partial: i64 = sqlx::query_scalar(
        "select count(*) from bulk_actions a where (cases_frozen_at is not null or exists (select from jobs where bulk_action_id = a.id))
         and total <> (select count(*) from jobs where bulk_action_id = a.id)",
    )
    .fetch_one(&rig.admin)
    .await?;
    report.check(partial == 0, || {
        format!("{partial} actions have a part of their tasks")
    });
    let launched: Vec<i64> = sqlx::query_scalar(
        "select id from bulk_actions where status = 1 and cancelled_at is null order by id",
    )
    .fetch_all(&rig.admin)
    .await?;
    for id in launched {
        actions::cancel(&kt, id).await?;
    }
    stretch.judge(rig, &mut report).await?;
    report.tasks = rounds;
    Ok(report)
}

/// Waits until no backend of the api is busy or in a transaction.
async fn quiet(rig: &Rig, most: Duration) -> Result<Duration> {
    let from = Instant::now();
    loop {
        let busy = busy(rig).await?;
        if busy.is_empty() {
            return Ok(from.elapsed());
        }
        if from.elapsed() > most {
            bail!("after {} s a backend is still {}", most.as_secs(), busy[0]);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The browser goes away after half of the file, by itself, by a cut, and without a word: the cursor is closed.
pub async fn b35(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let koda = rig.koda().await?;
    let stretch = Stretch::begin(rig).await?;
    let target = std::net::SocketAddr::from(([127, 0, 0, 1], rig.site.port()));
    let proxy = Proxy::start(target).await?;
    let mut whole = export(&koda, proxy.port).await?;
    let bytes = read(&mut whole, u64::MAX).await?;
    report.check(bytes > 1_000_000, || format!("an export of {bytes} bytes"));
    let mut longest = Duration::ZERO;
    for mode in [
        None,
        Some(Mode::Cut),
        Some(Mode::Reset),
        Some(Mode::HalfOpen),
    ] {
        quiet(rig, Duration::from_secs(20)).await?;
        let proxy = Proxy::start(target).await?;
        let mut answer = export(&koda, proxy.port).await?;
        read(&mut answer, bytes / 2).await?;
        let open = busy(rig).await?;
        report.check(!open.is_empty(), || {
            format!("{mode:?}: the api had sent all before anybody hung up")
        });
        let held = match mode {
            // The browser's own end reaches the api through the proxy.
            None => {
                drop(answer);
                None
            }
            Some(mode) => {
                proxy.set(mode);
                Some(answer)
            }
        };
        if mode == Some(Mode::HalfOpen) {
            // Nobody can tell a slow reader from a gone one; the api's patience ends, and before it PostgreSQL's.
            longest = quiet(rig, Duration::from_secs(70)).await?;
        } else {
            let after = quiet(rig, Duration::from_secs(20)).await?;
            report.recovered(after, Duration::from_secs(5));
        }
        drop(held);
    }
    // Its place among the exports is free again: as many as may run do run.
    let mut places = Vec::new();
    for _ in 0..3 {
        places.push(export(&koda, rig.site.port()).await?);
    }
    drop(places);
    let after = quiet(rig, Duration::from_secs(20)).await?;
    report.recovered(after, Duration::from_secs(5));
    report.note(format!(
        "whole {bytes} bytes, a silent reader was left after {} s",
        longest.as_secs()
    ));
    // A slow reader's transaction waits for it on purpose; no other may.
    for idle in rig.take_idle() {
        report.check(idle.contains("from export"), || {
            format!("I6 idle in transaction: {idle}")
        });
    }
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// What the backends of the api are busy with.
async fn busy(rig: &Rig) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar(
        "select state || ' ' || left(query, 120) from pg_stat_activity
         where usename = 'toimik_api' and datname = current_database() and state <> 'idle'",
    )
    .fetch_all(&rig.admin)
    .await?)
}

/// Asks for the CSV of all cases.
async fn export(koda: &crate::site::Session, port: u16) -> Result<reqwest::Response> {
    let call = koda
        .request(Method::POST, "/v2/enforcement_cases/data_table")
        .header(ACCEPT, "text/csv")
        .json(&json!({}));
    let (client, request) = call.build_split();
    let mut request = request?;
    request
        .url_mut()
        .set_port(Some(port))
        .map_err(|()| anyhow::anyhow!("no port"))?;
    let answer = client.execute(request).await?;
    if answer.status() != 200 {
        bail!(
            "the export answered {}: {}",
            answer.status(),
            answer.text().await?
        );
    }
    Ok(answer)
}

/// Reads until so many bytes, or to the end.
async fn read(answer: &mut reqwest::Response, until: u64) -> Result<u64> {
    let mut read = 0;
    while read < until {
        let Some(piece) = answer.chunk().await.context("the export broke off")? else {
            break;
        };
        read += u64::try_from(piece.len())?;
    }
    Ok(read)
}
