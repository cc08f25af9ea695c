//! The queue under load: pipeline, type 3, latency, fairness, import.
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::client::Client;
use crate::report::{Report, percentile};
use crate::rig::Rig;
use crate::tasks;

const LIVE: &str = "state in ('queued', 'dispatched', 'running')";

/// Rounds of ours, in turn with those of the peers: a machine's speed changes within minutes.
#[derive(Default)]
pub struct Rounds {
    like_for_like: f64,
    fees: f64,
    launch: f64,
    launched: i64,
    first: i64,
    action: i64,
}

impl Rounds {
    pub async fn turn(&mut self, rig: &Rig) -> Result<()> {
        let rate = like_for_like(rig).await?;
        eprintln!("like for like: {rate:.0} tasks/s");
        self.like_for_like = self.like_for_like.max(rate);
        self.compute_fees(rig).await
    }

    /// Type 3 whole, launched through the api over all cases of the bureau.
    async fn compute_fees(&mut self, rig: &Rig) -> Result<()> {
        fees_to_write(rig).await?;
        let last = rig.count("select coalesce(max(id), 0) from jobs").await?;
        let client = rig.bailiff().await?;
        let (id, launch) = launch(&client, 3, &json!({}), &every_status()).await?;
        let count = format!("select count(*) from jobs where id > {last}");
        let launched = rig.count(&count).await?;
        let rate = drained(rig, last).await?;
        let first = rig
            .count(&format!(
                "select (extract(epoch from min(j.finished_at) - a.cases_frozen_at) * 1000)::bigint
                 from jobs j, bulk_actions a where j.bulk_action_id = a.id and a.id = {id} group by a.cases_frozen_at"
            ))
            .await?;
        eprintln!(
            "type 3: {rate:.0} tasks/s, launched in {launch:.2} s, the first done after {first} ms"
        );
        // Closed is it a moment after its last task has ended.
        let closed = format!("exists (select from bulk_actions where id = {id} and status <> 1)");
        rig.until(&closed, Duration::from_millis(50), Duration::from_secs(30))
            .await?;
        *self = Self {
            fees: self.fees.max(rate),
            launch: self.launch.max(launch),
            first: self.first.max(first),
            launched,
            action: id,
            ..*self
        };
        Ok(())
    }

    /// The best rates, and the slowest launch and first task.
    pub async fn tell(&self, rig: &Rig, report: &mut Report, peer: f64) -> Result<()> {
        report.row(
            "bulk pipeline, like for like",
            format!("{:.0} tasks/s", self.like_for_like),
            "≥ 2 × the best peer",
        );
        report.line(format!(
            "pipeline/best peer: {:.2}×",
            self.like_for_like / peer
        ));
        report.row(
            &format!("launch of {} tasks, until the answer", self.launched),
            format!("{:.2} s", self.launch),
            "< 1.5 s for 100,000",
        );
        report.row(
            "first task done after the launch",
            format!("{} ms", self.first),
            "< 1000 ms",
        );
        report.row(
            "type 3 whole",
            format!("{:.0} tasks/s", self.fees),
            "≥ 1 × the best peer",
        );
        report.line(format!("type 3/best peer: {:.2}×", self.fees / peer));
        polled(rig, report, self.action).await
    }
}

/// Like for like with the peers: claim, one case UPDATE, audit, attempt, outcome.
pub async fn like_for_like(rig: &Rig) -> Result<f64> {
    let last: i64 = rig.count("select coalesce(max(id), 0) from jobs").await?;
    rig.execute(&format!(
        "insert into jobs (tenant_id, case_id, queue, kind, bulk_action_id)
         select tenant_id, id, 'bulk', 'TouchCase', null from cases order by id limit {};
         select pg_notify('toimik_jobs', 'bulk')",
        tasks()
    ))
    .await?;
    drained(rig, last).await
}

/// Fees that differ from what they should be, so that each task has something to write.
async fn fees_to_write(rig: &Rig) -> Result<()> {
    rig.execute("update cases set issuer_fee_initial_cents = issuer_fee_initial_cents + 100, issuer_fee_cents = issuer_fee_cents + 100").await
}

/// The poll of an action that does not change any more.
async fn polled(rig: &Rig, report: &mut Report, id: i64) -> Result<()> {
    let client = rig.bailiff().await?;
    let path = format!("/v2/bulk_actions/{id}");
    let (_, etag) = client.poll(&path, None).await?;
    let mut times = Vec::new();
    for _ in 0..200 {
        let started = Instant::now();
        let (status, _) = client.poll(&path, etag.as_deref()).await?;
        if status != 304 {
            bail!("a poll of something unchanged answered {status}");
        }
        times.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    report.row(
        "progress poll, 304",
        format!("p50 {:.2} ms", percentile(&mut times, 50)),
        "< 2 ms p50",
    );
    Ok(())
}

/// Start of an interactive job: alone, and while a bulk action runs.
pub async fn latency(rig: &Rig, report: &mut Report) -> Result<()> {
    let alone = probe(rig, 500, "true").await?;
    report.row(
        "start of an interactive job",
        format!("p50 {:.0} ms, p99 {:.0} ms", alone.p50, alone.p99),
        "p50 < 25 ms, p99 < 60 ms",
    );
    let last = rig.count("select coalesce(max(id), 0) from jobs").await?;
    fees_to_write(rig).await?;
    launch(&rig.bailiff().await?, 3, &json!({}), &every_status()).await?;
    // Only those that came while there was something else to do.
    let beside = format!(
        "created_at < (select max(coalesce(finished_at, clock_timestamp())) from jobs where id > {last} and queue = 'bulk')"
    );
    let under = probe(rig, 500, &beside).await?;
    report.row(
        &format!("the same, {} under a running bulk action", under.count),
        format!("p50 {:.0} ms, p99 {:.0} ms", under.p50, under.p99),
        "p99 < 250 ms",
    );
    drained(rig, last).await?;
    Ok(())
}

/// Bureau A has many tasks waiting, B launches ten: in `bulk` straight into the queue, in `register` by the chamber.
pub async fn fairness(rig: &Rig, report: &mut Report) -> Result<()> {
    let last = rig.count("select coalesce(max(id), 0) from jobs").await?;
    let insert = |code: &str, count: i64| {
        format!(
            "insert into jobs (tenant_id, case_id, queue, kind)
             select tenant_id, id, 'bulk', 'TouchCase' from cases
             where tenant_id = (select id from bureaus where code = '{code}') order by id limit {count};
             select pg_notify('toimik_jobs', 'bulk')"
        )
    };
    rig.execute(&insert("101", 50_000)).await?;
    let before = rig.count("select max(id) from jobs").await?;
    rig.execute(&insert("102", 10)).await?;
    let took = ended(rig, &format!("id > {before}")).await?;
    report.row(
        "fairness in bulk: up to 50,000 of A wait, B's 10 done after",
        format!("{took:.2} s"),
        "< 3 s",
    );
    drained(rig, last).await?;

    let koda = rig.client.sign_in_as("koda", "koda").await?;
    let (a, _) = launch(&koda, 9, &json!({}), &json!({"number": "101/"})).await?;
    let few = rig.text(
        "select n from (select '102/' || year || '/' || left(index::text, length) as n, index
                        from cases, generate_series(1, 6) length where prefix = 102 and length(index::text) >= length) c
         group by n having count(*) between 8 and 12 order by abs(count(*) - 10), n limit 1",
    );
    let (b, _) = launch(&koda, 9, &json!({}), &json!({"number": few.await?})).await?;
    let tasks = rig
        .count(&format!(
            "select count(*) from jobs where bulk_action_id = {b}"
        ))
        .await?;
    let took = ended(rig, &format!("bulk_action_id = {b}")).await?;
    let waiting = rig
        .count(&format!(
            "select count(*) from jobs where bulk_action_id = {a} and {LIVE}"
        ))
        .await?;
    report.row(
        &format!("fairness in register: {waiting} of A still wait, B's {tasks} done after"),
        format!("{took:.2} s"),
        "< 4 s for 10",
    );
    koda.put(&format!("/v2/bulk_action/{a}/cancel"), &json!({}))
        .await?;
    drained(rig, last).await?;
    Ok(())
}

/// Waits until no such job lives; returns the seconds.
async fn ended(rig: &Rig, which: &str) -> Result<f64> {
    let started = Instant::now();
    let over = format!("not exists (select from jobs where {which} and {LIVE})");
    rig.until(&over, Duration::from_millis(10), Duration::from_secs(180))
        .await?;
    Ok(started.elapsed().as_secs_f64())
}

/// 100,000 rows by CSV into the data that is there.
pub async fn import(rig: &Rig, report: &mut Report, aim: &str) -> Result<()> {
    let cases = rig.count("select count(*) from cases").await?;
    let made = tokio::process::Command::new("python3")
        .args([
            "scripts/make_cases.py",
            "--rows",
            &tasks().to_string(),
            "--first",
            "5000000",
            "--seed",
            "7",
        ])
        .output()
        .await?;
    let client = rig.bailiff().await?;
    let started = Instant::now();
    let answer = client.import(made.stdout).await?;
    loop {
        let import = client.get(&format!("/v2/imports/{}", answer["id"])).await?;
        if import["status"] != 1 {
            let seconds = started.elapsed().as_secs_f64();
            let (status, added) = (&import["status"], &import["added"]);
            report.row(
                &format!(
                    "import of {} rows into {cases} cases (status {status}, added {added})",
                    tasks()
                ),
                format!("{seconds:.1} s"),
                aim,
            );
            return Ok(());
        }
        if started.elapsed() > Duration::from_secs(600) {
            bail!("the import did not end");
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Launches a bulk action; returns its id and the seconds that the launch took.
async fn launch(client: &Client, kind: i64, args: &Value, filters: &Value) -> Result<(i64, f64)> {
    let action = client
        .post("/v2/bulk_actions", &json!({"type": kind, "args": args}))
        .await?;
    let id = action["id"].as_i64().unwrap_or_default();
    let started = Instant::now();
    client
        .post(
            &format!("/v2/bulk_actions/{id}/cases"),
            &json!({"filters": filters}),
        )
        .await?;
    Ok((id, started.elapsed().as_secs_f64()))
}

fn every_status() -> Value {
    json!({"status": ["open", "partially_closed", "stopped", "closed", "archived"]})
}

/// Waits until no job after `last` lives; returns tasks per second from the first start to the last end.
async fn drained(rig: &Rig, last: i64) -> Result<f64> {
    let over = format!("not exists (select from jobs where id > {last} and {LIVE})");
    rig.until(&over, Duration::from_millis(50), Duration::from_secs(600))
        .await?;
    let row: (i64, f64) = sqlx::query_as(
        "select count(*), extract(epoch from max(finished_at) - min(started_at))::float8 from jobs where id > $1",
    )
    .bind(last)
    .fetch_one(&rig.admin)
    .await?;
    Ok(row.0 as f64 / row.1.max(0.001))
}

/// Milliseconds from the insert of a job to its start.
struct Waits {
    count: usize,
    p50: f64,
    p99: f64,
}

/// Enqueues probes one by one, 20 a second; tells the waits of those for which the condition holds.
async fn probe(rig: &Rig, count: usize, which: &str) -> Result<Waits> {
    let last = rig.count("select coalesce(max(id), 0) from jobs").await?;
    let mut ticks = tokio::time::interval(Duration::from_millis(50));
    for _ in 0..count {
        ticks.tick().await;
        rig.execute(
            "insert into jobs (tenant_id, queue, kind) values (1, 'interactive', 'Probe'); select pg_notify('toimik_jobs', 'interactive')",
        )
        .await?;
    }
    let probes = format!("id > {last} and kind = 'Probe'");
    ended(rig, &probes).await?;
    let mut waits: Vec<f64> = sqlx::query_scalar(AssertSqlSafe(format!(
        "select (extract(epoch from started_at - created_at) * 1000)::float8 from jobs where {probes} and {which}"
    )))
    .fetch_all(&rig.admin)
    .await?;
    Ok(Waits {
        count: waits.len(),
        p50: percentile(&mut waits, 50),
        p99: percentile(&mut waits, 99),
    })
}
