//! The operations console over two million ended jobs: the overview, every filter of the jobs, search, charts, open pages, orders.
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::client::Client;
use crate::report::{Report, percentile};
use crate::rig::Rig;

const OVERVIEW: &str = "/v2/operations";
const ORDERS: &str = "/v2/operator_actions";
/// How often an open page asks, as the console does unless it is told otherwise.
const EVERY: Duration = Duration::from_secs(5);
const OPEN_PAGES: u32 = 20;
/// How often an order is looked at, and how long at the most.
const OFTEN: Duration = Duration::from_millis(100);
const PATIENCE: Duration = Duration::from_secs(600);

pub async fn measure(rig: &Rig, report: &mut Report, jobs: i64) -> Result<()> {
    eprintln!("{jobs} jobs …");
    let text = include_str!("jobs.sql").replace(":jobs", &jobs.to_string());
    rig.execute(&text).await?;
    rig.execute("vacuum analyze").await?;
    let failed = rig
        .count("select count(*) from jobs where state = 'failed'")
        .await?;
    let rest = rig
        .count("select count(*) from jobs where state <> 'failed'")
        .await?;
    report.row(
        "jobs failed, and others",
        format!("{failed}, {rest}"),
        "100,000, 2 million",
    );
    let koda = rig.client.sign_in_as("koda", "koda").await?;
    let operator = rig.client.sign_in_as("arendaja", "dev").await?;
    overview(&koda, report).await?;
    for (whose, client) in [("chamber", &koda), ("bureau", &rig.client)] {
        lists(rig, client, whose, report).await?;
    }
    open_pages(rig, &operator, report).await?;
    orders(rig, &operator, report).await?;
    rig.memory(report).await
}

/// Asked as one page would alone, each time after what is shared has run out.
async fn overview(client: &Client, report: &mut Report) -> Result<()> {
    let mut times = Vec::new();
    for _ in 0..20 {
        times.push(time(client, OVERVIEW).await?);
        tokio::time::sleep(EVERY).await;
    }
    report.row(
        "overview",
        format!(
            "p50 {:.0} ms, p95 {:.0} ms",
            percentile(&mut times, 50),
            percentile(&mut times, 95)
        ),
        "p95 < 200 ms",
    );
    Ok(())
}

/// Parameters of the list by what they are called in the report.
type Asked = Vec<(String, String)>;

/// One filter each: the first page, the one after it and the counts.
async fn lists(rig: &Rig, client: &Client, whose: &str, report: &mut Report) -> Result<()> {
    let (filters, searches) = questions(rig).await?;
    for (what, asked, aim) in [("one filter", filters, 300), ("search", searches, 500)] {
        for (part, head) in [
            ("page", "/v2/jobs?limit=50&"),
            ("counts", "/v2/jobs/counts?"),
        ] {
            let mut slow: Vec<(f64, &str)> = Vec::new();
            for (name, parameters) in &asked {
                let path = format!("{head}{parameters}");
                // Counts are shared for a moment: only the first is made.
                let times = if part == "page" { 3 } else { 1 };
                let took = median(client, &path, times)
                    .await
                    .with_context(|| format!("{whose}, {part}, {name}"))?;
                slow.push((took, name));
                if part == "page"
                    && let Some(next) = client.get(&path).await?["next"].as_str()
                {
                    let path = format!("{path}&after={next}");
                    slow.push((median(client, &path, times).await?, name));
                }
            }
            slow.sort_by(|a, b| b.0.total_cmp(&a.0));
            let over = slow
                .iter()
                .filter(|(took, _)| *took >= f64::from(aim))
                .count();
            let said: Vec<String> = slow
                .iter()
                .take(over.clamp(2, 8))
                .map(|(took, name)| format!("{name} {took:.0} ms"))
                .collect();
            report.row(
                &format!("jobs of {whose}, {what}, {part}: slowest of {}", slow.len()),
                said.join(", "),
                &format!("< {aim} ms"),
            );
        }
    }
    let (from, now) = ("now() - interval '90 days'", "now()");
    let path = format!(
        "/v2/queues/bulk/series?from={}&to={}",
        instant(rig, from).await?,
        instant(rig, now).await?
    );
    let series = time(client, &path).await?;
    let groups = time(client, "/v2/error_groups?hours=2160").await?;
    report.row(
        &format!("{whose}: chart of 90 days, errors of 90 days"),
        format!("{series:.0} ms, {groups:.0} ms"),
        "< 300 ms",
    );
    Ok(())
}

async fn instant(rig: &Rig, sql: &str) -> Result<String> {
    let form = "YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"";
    rig.text(&format!(
        "select to_char(({sql}) at time zone 'UTC', '{form}')"
    ))
    .await
}

/// Every filter by itself, wide and narrow, and what is searched for.
async fn questions(rig: &Rig) -> Result<(Asked, Asked)> {
    let mut filters: Asked = vec![("nothing".into(), String::new())];
    let mut add = |name: &str, value: &str| {
        filters.push((format!("{name} {value}"), format!("{name}={value}")))
    };
    for state in ["queued", "running", "ok", "warning", "failed", "cancelled"] {
        add("state[]", state);
    }
    for queue in ["interactive", "bulk", "register", "import", "cron"] {
        add("queue[]", queue);
    }
    for kind in ["SyncToRegister", "ComputeIssuerFee", "ImportCases", "Probe"] {
        add("kind[]", kind);
    }
    for (name, sql) in [
        ("bulkAction", "select (max(id) / 2)::text from bulk_actions"),
        (
            "errorGroup",
            "select error_key from jobs where state = 'failed' group by 1 order by count(*) desc limit 1",
        ),
        (
            "errorGroup",
            "select error_key from jobs where state = 'failed' group by 1 order by count(*) limit 1",
        ),
        (
            "caseNumber",
            "select prefix || '%2F' || year || '%2F' || index from case_list where tenant_id = (select id from bureaus where code = '101') order by case_id limit 1",
        ),
    ] {
        add(name, &rig.text(sql).await?);
    }
    for (name, value) in [
        ("bureau", "101"),
        ("bureau", "103"),
        ("bailiff", "a"),
        ("debtor", "kask"),
        ("debtor", "saar"),
        ("error", "ei%20vasta"),
        ("error", "viga%20a"),
        ("payload", "importId"),
        ("payload", "midagi%20pole"),
    ] {
        add(name, value);
    }
    for name in ["createdAt", "startedAt", "finishedAt"] {
        for (after, before) in [
            (Some("now() - interval '1 hour'"), None),
            (Some("now() - interval '1 day'"), None),
            (
                Some("now() - interval '60 days'"),
                Some("now() - interval '59 days 23 hours'"),
            ),
            (
                Some("now() - interval '60 days'"),
                Some("now() - interval '10 days'"),
            ),
            (None, Some("now() - interval '60 days'")),
            (Some("now() - interval '60 days'"), None),
            (Some("now() + interval '1 day'"), None),
        ] {
            let (mut said, mut parameters) = (name.to_owned(), Vec::new());
            for (end, sql) in [("after", after), ("before", before)] {
                if let Some(sql) = sql {
                    said = format!(
                        "{said} {end} {}",
                        sql.replace("now() ", "").replace("interval ", "")
                    );
                    parameters.push(format!("{name}[{end}]={}", instant(rig, sql).await?));
                }
            }
            filters.push((said, parameters.join("&")));
        }
    }
    let number = rig
        .text("select prefix || '/' || year || '/' || index from case_list order by case_id desc limit 1")
        .await?;
    let searches = ["1234567", &number, "õunapuu", "kask", "zzzzqqq"]
        .into_iter()
        .map(|term| {
            (
                term.to_owned(),
                format!("search={}", term.replace('/', "%2F")),
            )
        });
    Ok((filters, searches.collect()))
}

/// What twenty open overviews cost: CPU of the api and of PostgreSQL over a minute, less what they cost without.
async fn open_pages(rig: &Rig, client: &Client, report: &mut Report) -> Result<()> {
    const MINUTE: Duration = Duration::from_secs(60);
    let before = rig.cpu_seconds().await?;
    tokio::time::sleep(MINUTE).await;
    let idle = rig.cpu_seconds().await? - before;
    let before = rig.cpu_seconds().await?;
    let pages: Vec<_> = (0..OPEN_PAGES)
        .map(|page| {
            let client = client.clone();
            tokio::spawn(async move {
                tokio::time::sleep(EVERY * page / OPEN_PAGES).await;
                let (mut etag, mut unchanged, mut asked) = (None, 0, 0);
                let until = Instant::now() + MINUTE;
                let mut ticks = tokio::time::interval(EVERY);
                while Instant::now() < until {
                    ticks.tick().await;
                    let (status, tag) = client.poll(OVERVIEW, etag.as_deref()).await?;
                    unchanged += u32::from(status == 304);
                    (asked, etag) = (asked + 1, tag.or(etag));
                }
                Ok::<_, anyhow::Error>((asked, unchanged))
            })
        })
        .collect();
    let (mut asked, mut unchanged) = (0, 0);
    for page in pages {
        let (mine, same) = page.await??;
        (asked, unchanged) = (asked + mine, unchanged + same);
    }
    let cost = (rig.cpu_seconds().await? - before - idle) / MINUTE.as_secs_f64();
    report.row(
        "20 open overviews, of one core",
        format!(
            "{:.1} % ({unchanged} of {asked} answers 304; {:.1} % without them)",
            cost * 100.0,
            idle / MINUTE.as_secs_f64() * 100.0
        ),
        "< 5 %",
    );
    Ok(())
}

/// An order over what an outage left, and one that is stopped under way.
async fn orders(rig: &Rig, client: &Client, report: &mut Report) -> Result<()> {
    let filter = json!({"state": ["failed"], "error": "ei vasta"});
    let order = |pace: Value| json!({"kind": "retry", "filter": filter, "perSecond": pace});
    let asked = json!({"kind": "retry", "filter": filter});
    let started = Instant::now();
    let shown = client.post(&format!("{ORDERS}/preview"), &asked).await?;
    let preview = started.elapsed().as_secs_f64() * 1000.0;
    let started = Instant::now();
    let made = client.post(ORDERS, &order(json!(500))).await?;
    let answered = started.elapsed().as_secs_f64() * 1000.0;
    report.row(
        &format!("\"Korda\" of {} jobs, until the answer", made["total"]),
        format!(
            "{answered:.0} ms (preview {preview:.0} ms, {})",
            shown["count"]
        ),
        "< 1000 ms for 25,000",
    );
    let id = made["id"].as_i64().context("the id of the action")?;
    rig.until(&format!("select count(*) >= 1000 from operator_action_items where action_id = {id} and state <> 'waiting'"), OFTEN, PATIENCE).await?;
    client
        .put(&format!("{ORDERS}/{id}/stop"), &json!({}))
        .await?;
    let taken = format!(
        "select count(*) from operator_action_items where action_id = {id} and reason is distinct from 'stopped' and state <> 'waiting'"
    );
    let at_stop = rig.count(&taken).await?;
    rig.until(
        &format!("select status <> 1 from operator_actions where id = {id}"),
        OFTEN,
        PATIENCE,
    )
    .await?;
    report.row(
        "items taken up after the stop was answered",
        (rig.count(&taken).await? - at_stop).max(0).to_string(),
        "0",
    );
    let started = Instant::now();
    let made = client.post(ORDERS, &order(Value::Null)).await?;
    let id = made["id"].as_i64().context("the id of the action")?;
    rig.until(
        &format!("select status <> 1 from operator_actions where id = {id}"),
        OFTEN,
        PATIENCE,
    )
    .await?;
    let ended = rig
        .text(&format!("select string_agg(n || ' ' || state, ', ') from (select state, count(*) as n from operator_action_items where action_id = {id} group by 1 order by 1) s"))
        .await?;
    report.row(
        "\"Korda\" of the rest, until the last has ended",
        format!("{:.1} s ({ended})", started.elapsed().as_secs_f64()),
        "all ended",
    );
    Ok(())
}

async fn median(client: &Client, path: &str, times: usize) -> Result<f64> {
    let mut taken = Vec::new();
    for _ in 0..times {
        taken.push(time(client, path).await?);
    }
    Ok(percentile(&mut taken, 50))
}

async fn time(client: &Client, path: &str) -> Result<f64> {
    let started = Instant::now();
    client.get(path).await?;
    Ok(started.elapsed().as_secs_f64() * 1000.0)
}
