//! The case list at full size: pages, sorts, filters, counts, search, export.
use std::time::Instant;

use anyhow::Result;
use serde_json::{Value, json};

use crate::report::{Report, percentile};
use crate::rig::Rig;

const PAGE: &str = "/v2/enforcement_cases/data_table";
const COUNT: &str = "/v2/enforcement_cases/case_table_cases_count";

pub async fn measure(rig: &Rig, report: &mut Report) -> Result<()> {
    let cases = rig.count("select count(*) from cases").await?;
    let own = rig.count("select count(*) from cases where tenant_id = (select id from bureaus where code = '101')").await?;
    report.row(
        "cases in all, in the bureau",
        format!("{cases}, {own}"),
        "2 million, 240,000",
    );
    let page = |sort: &str, direction: &str, filters: Value, page: i64| json!({"limit": 40, "page": page, "sort": {"field": sort, "direction": direction}, "filters": filters});
    let mut defaults = Vec::new();
    for number in 1..=200 {
        defaults.push(
            time(
                rig,
                PAGE,
                &page("number", "DESC", json!({}), number % 5 + 1),
            )
            .await?,
        );
    }
    report.row(
        "page, default sort",
        format!("p95 {:.1} ms", percentile(&mut defaults, 95)),
        "p95 < 25 ms",
    );
    let mut worst: (f64, String) = (0.0, String::new());
    for sort in [
        "number",
        "status",
        "claimant_name",
        "debtor_name",
        "balance",
        "total_claims",
        "issuer_fee",
        "main_claim_type",
        "date_opened",
    ] {
        for filters in [
            json!({}),
            json!({"balance.cents": {"gte": 100_000}}),
            json!({"debtor.name": "saar"}),
            json!({"dateOpened": {"after": "2024-01-01"}}),
        ] {
            let took = time(rig, PAGE, &page(sort, "ASC", filters.clone(), 1)).await?;
            if took > worst.0 {
                worst = (took, format!("{sort}, {filters}"));
            }
        }
    }
    report.row(
        "any sort and filter, slowest",
        format!("{:.0} ms ({})", worst.0, worst.1),
        "< 400 ms",
    );
    report.row(
        "last page",
        format!(
            "{:.0} ms",
            time(rig, PAGE, &page("number", "DESC", json!({}), own / 40)).await?
        ),
        "< 150 ms",
    );
    report.row(
        "count of all",
        format!("{:.0} ms", time(rig, COUNT, &json!({"filters": {}})).await?),
        "< 300 ms",
    );
    let search = json!({"globalSearchTerm": "õunapuu-näidis"});
    report.row(
        "search",
        format!(
            "{:.0} ms",
            time(rig, PAGE, &page("number", "DESC", search, 1)).await?
        ),
        "< 150 ms",
    );
    let started = Instant::now();
    let (first, bytes) = rig
        .client
        .csv(
            PAGE,
            &json!({"sort": {"field": "number", "direction": "DESC"}, "filters": {}}),
        )
        .await?;
    let seconds = started.elapsed().as_secs_f64();
    report.row(
        "CSV export of the bureau",
        format!(
            "first byte {first:.0} ms, {:.1} MB/s",
            bytes as f64 / 1e6 / seconds
        ),
        "first byte < 300 ms",
    );
    rig.memory(report).await
}

async fn time(rig: &Rig, path: &str, body: &Value) -> Result<f64> {
    let started = Instant::now();
    rig.client.post(path, body).await?;
    Ok(started.elapsed().as_secs_f64() * 1000.0)
}
