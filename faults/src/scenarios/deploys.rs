//! B42, B43: a new version comes: each process is told to end in turn, with time to finish, and with too little of it.
use std::cell::Cell;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rand::RngExt;
use serde_json::json;

use crate::actions::{self, SYNC_TO_REGISTER, Watch};
use crate::balancer::Balancer;
use crate::judge::{Report, Stretch};
use crate::process::Process;
use crate::rig::{Rig, Scheduler, free_port};
use crate::scenarios::workers_die::{Dead, all_ok, held, release};
use crate::site::Site;
use crate::traffic::Traffic;

/// How long a process may take to end.
const DRAIN: Duration = Duration::from_secs(30);

/// Two of each process, and how their ends went.
struct Fleet {
    sites: Vec<Site>,
    apis: Vec<Process>,
    schedulers: Vec<Scheduler>,
    drains: Vec<Duration>,
    wrong: Vec<String>,
}

/// Each process in turn, again and again, while people and workers are busy: nobody notices.
pub async fn b42(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let rounds = rig.size.of(10, 1);
    // Some calls are long, so that each stop finds work that is under way.
    let longest = rig.size.of(8_000, 4_000);
    rig.simulator
        .script(
            json!([{"share": 0.02, "seed": rig.seed, "act": {"delay": {"ms": [1_000, longest]}}}]),
        )
        .await?;
    rig.start_workers(2, &[]).await?;
    let first = rig.site.clone();
    let mut fleet = Fleet {
        sites: vec![first.clone(), first.at(free_port()?)],
        apis: Vec::new(),
        schedulers: Vec::new(),
        drains: Vec::new(),
        wrong: Vec::new(),
    };
    fleet.apis.extend(rig.api.take());
    fleet
        .apis
        .push(rig.spawn_api("api-2", &fleet.sites[1], &[]).await?);
    for name in ["scheduler-1", "scheduler-2"] {
        fleet.schedulers.push(rig.spawn_scheduler(name, &[]).await?);
    }
    let balancer = Balancer::start(fleet.sites.clone());
    let traffic = Traffic::new(rig, &balancer).await?;
    let mut stretch = Stretch::begin(rig).await?;
    let over = Cell::new(false);
    let rolling = async {
        let outcome = roll(rig, &mut fleet, &balancer, rounds).await;
        over.set(true);
        outcome
    };
    let (held, (launched, wrong)) = futures::try_join!(rolling, traffic.flow(&over))?;
    for action in &launched {
        stretch.add(action);
        if action.kind == SYNC_TO_REGISTER {
            all_ok(rig, action.id, action.total, &mut report).await?;
        }
        let failed = actions::in_state(&rig.admin, action.id, "failed").await?;
        report.check(failed == 0, || format!("{failed} tasks failed"));
    }
    report.wrong.extend(wrong);
    report.wrong.append(&mut fleet.wrong);
    let longest = fleet.drains.iter().max().copied().unwrap_or_default();
    report.recovered(longest, DRAIN);
    let tally = balancer.tally();
    report.note(format!(
        "rounds {rounds}, processes ended {}, longest drain {} ms, runs under way at a stop {held}; actions {}, requests {}, failed {}, slowest {} ms",
        fleet.drains.len(),
        longest.as_millis(),
        launched.len(),
        tally.requests,
        tally.failed.len(),
        tally.slowest.as_millis()
    ));
    report.check(held > 0, || "no stop found a run under way".into());
    report.wrong.extend(tally.failed);
    unharmed(rig, &launched, &mut report).await?;
    // What was told to come back is a failed request, too.
    rig.site.take_faults();
    stretch.judge(rig, &mut report).await?;
    drop(fleet);
    rig.start_api(&[]).await?;
    Ok(report)
}

/// Ends and starts each process, as a deployment does: the next one only when the last is ready. Gives the runs that were under
/// way when their worker was told to end.
async fn roll(rig: &mut Rig, fleet: &mut Fleet, balancer: &Balancer, rounds: usize) -> Result<i64> {
    let mut under_way = 0;
    for _ in 0..rounds {
        for index in 0..rig.workers.len() {
            let id = rig.worker_id(index).await?;
            under_way += busy(rig, id).await?;
            let mut old = rig.workers.remove(index);
            fleet.end(&mut old.process).await?;
            let left = held(rig, id).await?;
            if left > 0 {
                let name = &old.process.name;
                fleet.wrong.push(format!("{name} left {left} runs behind"));
            }
            let fresh = rig.start_worker(&[]).await?;
            rig.workers.insert(index, fresh);
            rig.worker_id(index).await?;
        }
        for index in 0..fleet.apis.len() {
            let mut old = fleet.apis.remove(index);
            fleet.end(&mut old).await?;
            let fresh = rig.spawn_api(&old.name, &fleet.sites[index], &[]).await?;
            fleet.apis.insert(index, fresh);
            let until = Instant::now() + DRAIN;
            while !balancer.uses(index) {
                if Instant::now() > until {
                    bail!("{} is never used again", old.name);
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        for index in 0..fleet.schedulers.len() {
            let mut old = fleet.schedulers.remove(index);
            fleet.end(&mut old.process).await?;
            let fresh = rig.spawn_scheduler(&old.process.name, &[]).await?;
            fleet.schedulers.insert(index, fresh);
        }
    }
    Ok(under_way)
}

/// Waits a while until the process has runs; how many.
async fn busy(rig: &Rig, worker: i64) -> Result<i64> {
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        let held = held(rig, worker).await?;
        if held > 0 || Instant::now() > until {
            return Ok(held);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

impl Fleet {
    /// TERM, and its own end in time and in order.
    async fn end(&mut self, process: &mut Process) -> Result<()> {
        let from = Instant::now();
        process.signal("TERM").await?;
        match process.end(DRAIN * 2).await? {
            Some(0) => {}
            Some(code) => self
                .wrong
                .push(format!("{} ended with {code}", process.name)),
            None => bail!("{} does not end", process.name),
        }
        self.drains.push(from.elapsed());
        Ok(())
    }
}

/// Nothing was counted against a task: no failure, no crash, no run that was lost.
async fn unharmed(rig: &Rig, launched: &[actions::Action], report: &mut Report) -> Result<()> {
    let ids: Vec<i64> = launched.iter().map(|action| action.id).collect();
    let (failures, crashes): (i64, i64) = sqlx::query_as(
        "select coalesce(sum(failures), 0)::bigint, coalesce(sum(crashes), 0)::bigint from jobs where bulk_action_id = any($1)",
    )
    .bind(&ids)
    .fetch_one(&rig.admin)
    .await?;
    let (back, lost): (i64, i64) = sqlx::query_as(
        "select count(*) filter (where a.outcome = 'released'), count(*) filter (where a.outcome = 'crashed')
         from attempts a join jobs j on j.id = a.job_id where j.bulk_action_id = any($1)",
    )
    .bind(&ids)
    .fetch_one(&rig.admin)
    .await?;
    report.note(format!(
        "runs handed back {back}, lost {lost}, failures {failures}, crashes {crashes}"
    ));
    report.check(failures + crashes + lost == 0, || {
        format!("failures {failures}, crashes {crashes}, lost runs {lost}")
    });
    Ok(())
}

/// Told to end and killed five seconds later, with runs that take longer than that.
pub async fn b43(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let kills = rig.size.of(10, 1);
    let slow = rig.size.of([7_000, 12_000], [6_000, 8_000]);
    let koda = rig.koda().await?;
    let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
    let fault_free = actions::fault_free(rig, &koda, SYNC_TO_REGISTER, &filters).await?;
    rig.simulator
        .script(json!([{"share": 0.1, "seed": rig.seed, "act": {"delay": {"ms": slow}}}]))
        .await?;
    let mut stretch = Stretch::begin(rig).await?;
    let action = actions::launch(&koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(&koda, &action);
    let mut at: Vec<i64> = (0..kills)
        .map(|_| rig.rng.random_range(1..action.total * 8 / 10))
        .collect();
    at.sort_unstable_by(|a, b| b.cmp(a));
    let (mut dead, mut in_flight) = (Vec::new(), 0);
    let until = Instant::now() + Duration::from_secs(1_200);
    while !watch.look().await? || !dead.is_empty() {
        if Instant::now() > until {
            bail!(
                "not over: {}",
                actions::states(&rig.admin, action.id).await?
            );
        }
        let ended = actions::ended(&rig.admin, action.id).await?;
        if at.last().is_some_and(|next| *next <= ended) && ended < action.total {
            at.pop();
            let index = rig.rng.random_range(0..rig.workers.len());
            let worker = rig.worker_id(index).await?;
            let process = &mut rig.workers[index].process;
            process.signal("TERM").await?;
            if process.end(Duration::from_secs(5)).await?.is_some() {
                report.note("one ended by itself");
            }
            rig.replace_worker(index, &[]).await?;
            in_flight += held(rig, worker).await?;
            dead.push(Dead::now(worker));
        }
        release(rig, &mut dead, &mut report).await?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    report.check(at.is_empty(), || {
        format!("{} of {kills} kills never came", at.len())
    });
    let took = watch.finish(rig, Duration::from_secs(60)).await?;
    let (again, released): (i64, i64) = sqlx::query_as(
        "select (select sum(runs - 1)::bigint from jobs where bulk_action_id = $1),
                (select count(*) from attempts a join jobs j on j.id = a.job_id
                 where j.bulk_action_id = $1 and a.outcome = 'released')",
    )
    .bind(action.id)
    .fetch_one(&rig.admin)
    .await?;
    report.note(format!(
        "kills {kills}, in flight {in_flight}, re-runs {again}, handed back {released}; done in {} s, without long calls {} s",
        took.as_secs(),
        fault_free.as_secs()
    ));
    report.check(in_flight > 0, || "every process ended in time".into());
    report.check(again == in_flight + released, || {
        format!("{in_flight} runs were in flight and {released} handed back, and {again} runs more than tasks were made")
    });
    all_ok(rig, action.id, action.total, &mut report).await?;
    report.wrong.append(&mut watch.wrong);
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}
