//! The case list at full size: pages, sorts, filters, counts and search of a bureau and over all, twenty users, exports.
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use crate::client::Client;
use crate::report::{Report, percentile};
use crate::rig::Rig;

const PAGE: &str = "/v2/enforcement_cases/data_table";
const COUNT: &str = "/v2/enforcement_cases/case_table_cases_count";
const SORTS: [&str; 10] = [
    "number",
    "status",
    "claimant_name",
    "debtor_name",
    "balance",
    "total_claims",
    "issuer_fee",
    "main_claim_type",
    "date_opened",
    "debtor_reg_code",
];

pub async fn measure(rig: &Rig, report: &mut Report) -> Result<()> {
    let cases = rig.count("select count(*) from cases").await?;
    let own = rig.count("select count(*) from cases where tenant_id = (select id from bureaus where code = '101')").await?;
    report.row(
        "cases in all, in the bureau",
        format!("{cases}, {own}"),
        "2 million, 240,000",
    );
    let koda = rig.client.sign_in_as("koda", "koda").await?;
    // Once each, so that what is read from disk does not count.
    for client in [&rig.client, &koda] {
        time(client, COUNT, &json!({"filters": {}})).await?;
    }
    for (whose, client, cases, sorted, last) in [
        ("bureau", &rig.client, own, "< 400 ms", "< 150 ms"),
        ("all bureaus", &koda, cases, "< 1500 ms", "none set"),
    ] {
        one_by_one(client, report, whose, cases, sorted, last).await?;
    }
    twenty_users(rig, report).await?;
    export(rig, report).await?;
    rig.memory(report).await
}

fn page(sort: &str, direction: &str, filters: &Value, page: i64) -> Value {
    json!({"limit": 40, "page": page, "sort": {"field": sort, "direction": direction}, "filters": filters})
}

/// The slowest of each sort: with no filter, and with each of four.
async fn one_by_one(
    client: &Client,
    report: &mut Report,
    whose: &str,
    cases: i64,
    sorted: &str,
    last: &str,
) -> Result<()> {
    let mut worst: (f64, String) = (0.0, String::new());
    for sort in SORTS {
        for filters in [
            json!({}),
            json!({"balance.cents": {"gte": 100_000}}),
            json!({"debtor.name": "saar"}),
            json!({"dateOpened": {"after": "2024-01-01"}}),
        ] {
            let took = median(client, PAGE, &page(sort, "ASC", &filters, 1)).await?;
            if took > worst.0 {
                worst = (took, format!("{sort}, {filters}"));
            }
        }
    }
    report.row(
        &format!("{whose}: any sort and filter, slowest"),
        format!("{:.0} ms ({})", worst.0, worst.1),
        sorted,
    );
    let end = page("number", "DESC", &json!({}), (cases + 39) / 40);
    report.row(
        &format!("{whose}: last page"),
        format!("{:.0} ms", median(client, PAGE, &end).await?),
        last,
    );
    report.row(
        &format!("{whose}: count of all"),
        format!(
            "{:.0} ms",
            median(client, COUNT, &json!({"filters": {}})).await?
        ),
        "< 300 ms",
    );
    for (what, term) in [
        ("a name", "õunapuu-näidis"),
        ("a number", "101/2023/77"),
        ("two letters that most hold", "ma"),
        ("two letters without a match", "qx"),
        ("nothing found", "zzzzqqq"),
    ] {
        let search = json!({"globalSearchTerm": term});
        report.row(
            &format!("{whose}: search, {what}"),
            format!(
                "{:.0} ms",
                median(client, PAGE, &page("number", "DESC", &search, 1)).await?
            ),
            "< 150 ms",
        );
    }
    Ok(())
}

/// Twenty users with a request each five seconds for a minute, four of five for the default list.
async fn twenty_users(rig: &Rig, report: &mut Report) -> Result<()> {
    let users = (0..20_u64).map(|user| {
        let client = rig.client.clone();
        tokio::spawn(async move {
            let (mut default, mut other) = (Vec::new(), Vec::new());
            tokio::time::sleep(Duration::from_millis(250 * user)).await;
            let mut ticks = tokio::time::interval(Duration::from_secs(5));
            for turn in 0..12_usize {
                ticks.tick().await;
                let number = i64::try_from(turn % 5).unwrap_or(0) + 1;
                if turn % 5 == 4 {
                    let sort = SORTS[turn * 7 % SORTS.len()];
                    let filters = json!({"balance.cents": {"gte": 100_000}});
                    other.push(time(&client, PAGE, &page(sort, "DESC", &filters, number)).await?);
                } else {
                    default.push(
                        time(&client, PAGE, &page("number", "DESC", &json!({}), number)).await?,
                    );
                }
            }
            Ok::<_, anyhow::Error>((default, other))
        })
    });
    let (mut default, mut other) = (Vec::new(), Vec::new());
    for user in users.collect::<Vec<_>>() {
        let (mine, rest) = user.await??;
        default.extend(mine);
        other.extend(rest);
    }
    report.row(
        "20 users, a request each 5 s: page, default sort",
        format!(
            "p50 {:.1} ms, p95 {:.1} ms",
            percentile(&mut default, 50),
            percentile(&mut default, 95)
        ),
        "p95 < 25 ms",
    );
    report.row(
        "20 users: another sort with a filter",
        format!("p95 {:.0} ms", percentile(&mut other, 95)),
        "< 400 ms",
    );
    Ok(())
}

/// The default columns of the bureau's cases in order of number: by the api, and by PostgreSQL's COPY.
async fn export(rig: &Rig, report: &mut Report) -> Result<()> {
    let copied = rig.copy_seconds().await?;
    let before = rig.api_memory_kb();
    let started = Instant::now();
    let body = json!({"sort": {"field": "number", "direction": "DESC"}, "filters": {}});
    let (first, bytes) = rig.client.csv(PAGE, &body).await?;
    let seconds = started.elapsed().as_secs_f64();
    let grown = rig.api_memory_kb().saturating_sub(before) / 1024;
    report.row(
        "CSV export of the bureau",
        format!(
            "first byte {first:.0} ms, {:.1} MB/s, {:.2} × the rate of COPY, api grew by {grown} MB",
            bytes as f64 / 1e6 / seconds,
            copied / seconds
        ),
        "first byte < 300 ms, ≥ 0.5 ×, flat",
    );
    Ok(())
}

/// The median of three.
async fn median(client: &Client, path: &str, body: &Value) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..3 {
        times.push(time(client, path, body).await?);
    }
    Ok(percentile(&mut times, 50))
}

async fn time(client: &Client, path: &str, body: &Value) -> Result<f64> {
    let started = Instant::now();
    client.post(path, body).await?;
    Ok(started.elapsed().as_secs_f64() * 1000.0)
}
