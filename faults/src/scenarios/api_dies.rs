//! B7, B8: the api dies in the middle of a launch.
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use reqwest::Method;
use serde_json::json;

use crate::actions::{self, Action, COMPUTE_ISSUER_FEE};
use crate::judge::{Report, Stretch};
use crate::rig::Rig;

/// kill -9 at a random moment of POST …/cases: the action has all its tasks or none.
pub async fn b7(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let (want, rounds) = (rig.size.of(20_000, 2_000), rig.size.of(50, 5));
    let koda = rig.koda().await?;
    let (filters, total) = actions::newest(&rig.admin, None, want).await?;
    let stretch = Stretch::begin(rig).await?;
    let body = json!({"filters": filters, "includeCasesWithProblems": true});
    // How long one takes when nobody kills it; moments are drawn a little past that.
    let whole = {
        let action = actions::launch(&koda, COMPUTE_ISSUER_FEE, &filters).await?;
        let took = action.launched.elapsed();
        remove(rig, &koda, &action).await?;
        took
    };
    let (mut all, mut none, mut answered) = (0, 0, 0);
    for round in 0..rounds {
        let id = actions::create(&koda, COMPUTE_ISSUER_FEE).await?;
        let call = koda
            .request(Method::POST, &format!("/v2/bulk_actions/{id}/cases"))
            .json(&body);
        let launched = Instant::now();
        let call = tokio::spawn(call.send());
        let moment = rig.moment(whole * 11 / 10);
        tokio::time::sleep(moment).await;
        rig.kill_api().await?;
        if let Ok(Ok(answer)) = tokio::time::timeout(Duration::from_secs(10), call).await?
            && answer.status().is_success()
        {
            answered += 1;
        }
        settled(rig).await?;
        let (tasks, noted, frozen): (i64, i32, bool) = sqlx::query_as(
            "select (select count(*) from jobs where bulk_action_id = a.id), total, cases_frozen_at is not null
             from bulk_actions a where id = $1",
        )
        .bind(id)
        .fetch_one(&rig.admin)
        .await?;
        match (tasks, frozen) {
            (0, false) => none += 1,
            (tasks, true) if tasks == total && i64::from(noted) == total => all += 1,
            _ => report.wrong.push(format!(
                "round {round}: {tasks} of {total} tasks, noted {noted}, frozen {frozen}, killed after {} ms",
                moment.as_millis()
            )),
        }
        let started = Instant::now();
        rig.start_api(&[]).await?;
        report.recovered(started.elapsed(), Duration::from_secs(30));
        let action = Action {
            id,
            kind: COMPUTE_ISSUER_FEE,
            total: tasks,
            launched,
        };
        remove(rig, &koda, &action).await?;
    }
    // A few rounds may all fall on one side; fifty that do never met the insert.
    report.check(rounds < 20 || (all > 0 && none > 0), || {
        format!("no kill came in the middle: all {all}, none {none}")
    });
    report.note(format!(
        "rounds {rounds}: all {all}, none {none}, answered {answered}; whole {} ms",
        whole.as_millis()
    ));
    report.tasks = total * i64::from(rounds);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// Waits until PostgreSQL has noticed that the api is gone.
async fn settled(rig: &Rig) -> Result<()> {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let open: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity where usename = 'toimik_api' and datname = current_database()",
        )
        .fetch_one(&rig.admin)
        .await?;
        if open == 0 {
            return Ok(());
        }
        if Instant::now() > until {
            bail!("{open} backends of a dead api live on");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Cancels the action, so that no later row finds its tasks.
async fn remove(rig: &Rig, koda: &crate::site::Session, action: &Action) -> Result<()> {
    actions::cancel(koda, action.id).await?;
    let live = actions::ended(&rig.admin, action.id).await?;
    if live != action.total {
        bail!(
            "a cancel without workers left {} tasks",
            action.total - live
        );
    }
    Ok(())
}

/// The api aborts between its commit and its answer; the caller repeats with the same key.
pub async fn b8(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let koda = rig.koda().await?;
    let (filters, total) = actions::newest(&rig.admin, None, 500).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let body = json!({"filters": filters, "includeCasesWithProblems": true});
    let rounds = 10;
    for round in 0..rounds {
        let before: i64 = sqlx::query_scalar("select count(*) from bulk_actions")
            .fetch_one(&rig.admin)
            .await?;
        let key = format!("b8-{}-{round}", rig.seed);
        let create = json!({"type": COMPUTE_ISSUER_FEE});
        die_in(rig, &koda, "/v2/bulk_actions", &create, &key).await?;
        let created = koda
            .call(Method::POST, "/v2/bulk_actions", Some(create), Some(&key))
            .await?
            .expect(201)?;
        let id = created["id"].as_i64().context("no id")?;
        let launched = Instant::now();
        let path = format!("/v2/bulk_actions/{id}/cases");
        die_in(rig, &koda, &path, &body, &key).await?;
        let frozen = koda
            .call(Method::POST, &path, Some(body.clone()), Some(&key))
            .await?
            .expect(200)?;
        report.check(frozen["totalItems"].as_i64() == Some(total), || {
            format!("round {round}: the repeated freeze answered {frozen}")
        });
        let after: i64 = sqlx::query_scalar("select count(*) from bulk_actions")
            .fetch_one(&rig.admin)
            .await?;
        report.check(after == before + 1, || {
            format!("round {round}: {} actions", after - before)
        });
        let action = Action {
            id,
            kind: COMPUTE_ISSUER_FEE,
            total,
            launched,
        };
        remove(rig, &koda, &action).await?;
        stretch.add(&action);
    }
    report.note(format!("rounds {rounds}"));
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// One call that commits and is never answered; the api is as before afterwards.
async fn die_in(
    rig: &mut Rig,
    koda: &crate::site::Session,
    path: &str,
    body: &serde_json::Value,
    key: &str,
) -> Result<()> {
    rig.kill_api().await?;
    rig.start_api(&[("FAILPOINTS", "committed=return".into())])
        .await?;
    let outcome = koda
        .call(Method::POST, path, Some(body.clone()), Some(key))
        .await;
    if let Ok(answer) = outcome {
        bail!(
            "the api answered {} though it was to die: built without failpoints?",
            answer.status
        );
    }
    rig.kill_api().await?;
    settled(rig).await?;
    rig.start_api(&[]).await
}
