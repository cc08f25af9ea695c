//! B20, B21: a PostgreSQL that has no connection left, and one whose table of jobs is locked.
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::json;
use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::task::JoinHandle;

use crate::actions::{self, COMPUTE_ISSUER_FEE, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::rig::Rig;
use crate::scenarios::redis_gone::until_under_way;
use crate::scenarios::workers_die::all_ok;
use crate::site::Session;

/// Takes every connection that a login without rights can get, and each that comes free.
struct Hog {
    held: Arc<AtomicUsize>,
    refused: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Hog {
    fn start(options: PgConnectOptions) -> Self {
        let (held, refused) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let (holds, refusals) = (held.clone(), refused.clone());
        let task = tokio::spawn(async move {
            let mut all: Vec<PgConnection> = Vec::new();
            loop {
                match options.connect().await {
                    Ok(conn) => {
                        all.push(conn);
                        holds.store(all.len(), Ordering::Relaxed);
                    }
                    Err(_) => {
                        refusals.fetch_add(1, Ordering::Relaxed);
                        tokio::time::sleep(Duration::from_millis(10)).await;
                    }
                }
            }
        });
        Self {
            held,
            refused,
            task,
        }
    }

    /// Waits until nothing more is to be had.
    async fn until_full(&self) -> Result<usize> {
        let until = Instant::now() + Duration::from_secs(60);
        while self.refused.load(Ordering::Relaxed) == 0 {
            if Instant::now() > until {
                bail!("PostgreSQL never ran out of connections");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(self.held.load(Ordering::Relaxed))
    }

    /// Lets all of them go.
    async fn end(mut self) {
        self.task.abort();
        (&mut self.task).await.ok();
    }
}

impl Drop for Hog {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An api that has just started and one action under way, and not one connection more: people still sign in, the rest is
/// served by what there is or told to come back.
pub async fn b20(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
    actions::fault_free(rig, &koda, SYNC_TO_REGISTER, &filters).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    until_under_way(rig, &action, &mut watch).await?;
    rig.kill_api().await?;
    rig.start_api(&[]).await?;
    // The first one after a start is not what is measured.
    sign_in(rig, "koda").await?;
    let before = sign_in(rig, "koda").await?;
    let url = std::fs::read_to_string(rig.folder.join("db/jobs.url"))?;
    let hog = Hog::start(PgConnectOptions::from_str(url.trim())?.disable_statement_logging());
    let held = hog.until_full().await?;
    let from = Instant::now();
    let (mut logins, mut served, mut told) = (Vec::new(), 0, 0);
    while from.elapsed() < Duration::from_secs(rig.size.of(20, 6)) {
        // People come one after the other, while others' calls want more connections than there are.
        let signing = async {
            let mut took = Vec::new();
            for name in ["koda", "taitur", "taitur2", "arendaja", "mitu"] {
                took.push(sign_in(rig, name).await?);
            }
            Ok::<_, anyhow::Error>(took)
        };
        let (took, statuses) = futures::join!(signing, burst(&koda, &action));
        logins.extend(took?);
        for status in statuses? {
            match status {
                200 | 201 => served += 1,
                503 => told += 1,
                other => report.wrong.push(format!("a call was answered {other}")),
            }
        }
        watch.look().await?;
    }
    hog.end().await;
    let freed = Instant::now();
    let moment = actions::moment(&rig.admin).await?;
    while burst(&koda, &action).await?.contains(&503) {
        if freed.elapsed() > Duration::from_secs(60) {
            bail!("calls are refused a minute after there are connections again");
        }
    }
    report.recovered(freed.elapsed(), Duration::from_secs(10));
    if let Some(after) =
        actions::fresh(&rig.admin, &action, moment, Duration::from_secs(60)).await?
    {
        report.recovered(after, Duration::from_secs(10));
    }
    let slowest = logins.iter().max().copied().unwrap_or_default();
    report.note(format!(
        "{held} connections held; {} sign-ins, slowest {} ms, before it {} ms; calls served {served}, told to come back {told}",
        logins.len(),
        slowest.as_millis(),
        before.as_millis()
    ));
    report.check(told > 0, || "no call felt it".into());
    report.check(slowest < Duration::from_secs(1), || {
        format!("a sign-in took {} ms", slowest.as_millis())
    });
    let took = watch.finish(rig, Duration::from_secs(300)).await?;
    report.note(format!("done in {} s", took.as_secs()));
    note_lost(rig, action.id, &mut report).await?;
    all_ok(rig, action.id, action.total, &mut report).await?;
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// How long a right password takes.
async fn sign_in(rig: &Rig, name: &str) -> Result<Duration> {
    let from = Instant::now();
    rig.site.sign_in(name).await?.expect(200)?;
    Ok(from.elapsed())
}

/// Ten calls at once that read, and two that write; their statuses.
async fn burst(koda: &Session, action: &actions::Action) -> Result<Vec<u16>> {
    let path = format!("/v2/bulk_actions/{}", action.id);
    let read = futures::future::join_all((0..10).map(|_| koda.get(&path)));
    let body = json!({"type": COMPUTE_ISSUER_FEE});
    let write =
        futures::future::join_all((0..2).map(|_| koda.post("/v2/bulk_actions", body.clone())));
    let (read, write) = futures::join!(read, write);
    let mut statuses = Vec::new();
    for answer in read.into_iter().chain(write) {
        statuses.push(answer?.status);
    }
    Ok(statuses)
}

/// Runs that were taken back though their worker lived.
async fn note_lost(rig: &Rig, action: i64, report: &mut Report) -> Result<()> {
    let (released, crashed): (i64, i64) = sqlx::query_as(
        "select count(*) filter (where a.outcome = 'released'), count(*) filter (where a.outcome = 'crashed')
         from attempts a join jobs j on j.id = a.job_id where j.bulk_action_id = $1",
    )
    .bind(action)
    .fetch_one(&rig.admin)
    .await?;
    report.note(format!(
        "runs put back {released}, taken from living workers {crashed}"
    ));
    Ok(())
}

/// Somebody holds the table of jobs: what waits for it gives up in time and is tried again; nothing fails by it.
pub async fn b21(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
    let fault_free = actions::fault_free(rig, &koda, SYNC_TO_REGISTER, &filters).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    until_under_way(rig, &action, &mut watch).await?;
    let mut holder = rig.admin.begin().await?;
    sqlx::query("lock table jobs in access exclusive mode")
        .execute(&mut *holder)
        .await?;
    // Longer than the lock time-out of every statement, five seconds.
    let seconds = rig.size.of(30.0, 8.0);
    let hold = tokio::spawn(async move {
        sqlx::query("select pg_sleep($1)")
            .bind(seconds)
            .execute(&mut *holder)
            .await?;
        holder.rollback().await
    });
    let (mut told, mut others) = (0, 0);
    while !hold.is_finished() {
        let path = format!("/v2/bulk_actions/{}", action.id);
        let (jobs, cases) = futures::join!(
            koda.get(&path),
            koda.post("/v2/enforcement_cases/data_table", json!({}))
        );
        told += u32::from(jobs?.status == 503);
        others += 1;
        let cases = cases?;
        report.check(cases.status == 200, || {
            format!(
                "the list of cases answered {}: {}",
                cases.status, cases.body
            )
        });
    }
    hold.await??;
    let freed = Instant::now();
    let moment = actions::moment(&rig.admin).await?;
    if actions::fresh(&rig.admin, &action, moment, Duration::from_secs(90))
        .await?
        .is_some()
    {
        report.recovered(freed.elapsed(), Duration::from_secs(30));
    }
    let took = watch
        .finish(rig, fault_free * 3 + Duration::from_secs(180))
        .await?;
    report.done(took, fault_free);
    let timed_out: i64 = sqlx::query_scalar(
        "select count(*) from attempts a join jobs j on j.id = a.job_id
         where j.bulk_action_id = $1 and a.outcome = 'released' and a.error = 'database 55P03'",
    )
    .bind(action.id)
    .fetch_one(&rig.admin)
    .await?;
    report.note(format!(
        "progress told to come back {told} times, cases listed {others} times; runs ended by their lock time-out {timed_out}"
    ));
    report.check(told > 0, || "nobody felt the lock".into());
    note_lost(rig, action.id, &mut report).await?;
    let failed = actions::in_state(&rig.admin, action.id, "failed").await?;
    report.check(failed == 0, || format!("{failed} tasks failed"));
    all_ok(rig, action.id, action.total, &mut report).await?;
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}
