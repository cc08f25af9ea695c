//! B44: a worker that may not have the memory that an import takes. Imports are lean: the limit is the least with which a worker
//! still does its other work.
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::actions::{self, Action, SYNC_TO_REGISTER, Watch};
use crate::judge::{Report, Stretch};
use crate::rig::Rig;
use crate::scenarios::workers_die::all_ok;
use crate::site::Session;
use crate::uploads;

const FILE_BYTES: usize = 90_000_000;
const MB: u64 = 1024 * 1024;
/// More than enough.
const AMPLE_MB: u64 = 400;

/// Two workers under a limit of their address space, one bulk action and one import: the import ends as failed with a reason,
/// and the action as if there had been none.
pub async fn b44(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let kt = rig.session("taitur", "KT", "101").await?;
    let koda = rig.koda().await?;
    let file = large_file(rig).await?;
    let needed = measure(rig, &koda, &kt, &file, &mut report).await?;
    let limit = least(rig, &koda, needed, &mut report).await?;
    let stretch = under_limit(rig, &koda, &kt, &file, limit, &mut report).await?;
    // Its logs say that memory ran out, which is what was wanted; everywhere else such words are wrong.
    rig.stop_workers().await?;
    aborted_for_memory(rig, &mut report)?;
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// The generator's rows, again and again until it is large: it ends while it is read, before numbers are compared.
async fn large_file(rig: &Rig) -> Result<Vec<u8>> {
    let rows = rig.size.of(335_000, 20_000);
    let mut file = uploads::make(&rig.folder, rows).await?;
    let head = file.iter().position(|byte| *byte == b'\n');
    let body = file[head.context("a file without a header")? + 1..].to_vec();
    while file.len() < FILE_BYTES {
        file.extend_from_slice(&body);
    }
    Ok(file)
}

async fn start(rig: &mut Rig, mb: u64) -> Result<()> {
    let (program, limit) = (rig.program("jobs"), format!("--as={}", mb * MB));
    let command = ["prlimit", limit.as_str(), "--", program.as_str()];
    // Beside the others' logs.
    let settings = [
        ("TOKIO_WORKER_THREADS", "2".to_owned()),
        // Else the C library reserves 64 MB of address space by the thread, and what is left is a matter of luck.
        ("MALLOC_ARENA_MAX", "1".to_owned()),
    ];
    let worker = rig.start_worker_in("starved", &command, &settings).await?;
    rig.workers.push(worker);
    Ok(())
}

/// What an import takes of a worker that has room: the address space in MB before it.
async fn measure(
    rig: &mut Rig,
    koda: &Session,
    kt: &Session,
    file: &[u8],
    report: &mut Report,
) -> Result<u64> {
    start(rig, AMPLE_MB).await?;
    rig.worker_id(0).await?;
    let action = some(rig, koda).await?;
    Watch::new(koda, &action)
        .finish(rig, Duration::from_secs(60))
        .await?;
    let pid = rig.workers[0].process.pid;
    let before = Memory::of(pid)?;
    let id = send(kt, file).await?;
    let until = Instant::now() + Duration::from_secs(700);
    // In the short form a part of the reading tells as much as all of it: it goes piece by piece.
    let enough = rig.size.of(100, 8);
    let import = loop {
        let import = kt.get(&format!("/v2/imports/{id}")).await?.expect(200)?;
        if import["status"] != 1 || import["percent"].as_i64() > Some(enough) {
            break import;
        }
        if Instant::now() > until || rig.workers[0].process.has_ended() {
            bail!("the import with {AMPLE_MB} MB is not over: {import}");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let after = Memory::of(pid)?;
    report.note(format!(
        "a file of {} MB: resident {} MB at its peak, without it {} MB; address space {} MB and {} MB; {}",
        file.len() / 1_000_000,
        after.resident_mb,
        before.resident_mb,
        after.peak_mb,
        before.size_mb,
        ended(&import)
    ));
    kill_all(rig).await?;
    // It would go on in the next worker.
    end_imports(rig).await?;
    Ok(before.size_mb)
}

/// The least limit under which a worker does a bulk action to its end.
async fn least(rig: &mut Rig, koda: &Session, from: u64, report: &mut Report) -> Result<u64> {
    for limit in from - 2..from + 20 {
        start(rig, limit).await?;
        if works(rig, koda).await? {
            report.note(format!("works with {limit} MB"));
            rig.stop_workers().await?;
            return Ok(limit);
        }
        kill_all(rig).await?;
    }
    bail!("no worker works with {} MB", from + 20)
}

/// Whether the one worker does an action without an end of its own; what it leaves is cancelled.
async fn works(rig: &mut Rig, koda: &Session) -> Result<bool> {
    let until = Instant::now() + Duration::from_secs(20);
    let pid = i32::try_from(rig.workers[0].process.pid)?;
    let mut launched: Option<Action> = None;
    let works = loop {
        if rig.workers[0].process.has_ended() || Instant::now() > until {
            break false;
        }
        if let Some(action) = &launched {
            if actions::ended(&rig.admin, action.id).await? == action.total {
                break true;
            }
        } else if is_registered(rig, pid).await? {
            launched = Some(some(rig, koda).await?);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    if let Some(action) = launched.filter(|_| !works) {
        actions::cancel(koda, action.id).await?;
    }
    Ok(works)
}

async fn is_registered(rig: &Rig, pid: i32) -> Result<bool> {
    let found = "select exists (select from workers where pid = $1 and stopped_at is null and seen_at > now() - interval '20 s')";
    Ok(sqlx::query_scalar(found)
        .bind(pid)
        .fetch_one(&rig.admin)
        .await?)
}

/// The row itself.
async fn under_limit(
    rig: &mut Rig,
    koda: &Session,
    kt: &Session,
    file: &[u8],
    limit: u64,
    report: &mut Report,
) -> Result<Stretch> {
    let mut stretch = Stretch::begin(rig).await?;
    for index in 0..2 {
        start(rig, limit).await?;
        rig.worker_id(index).await?;
    }
    let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
    let action = actions::launch(koda, SYNC_TO_REGISTER, &filters).await?;
    stretch.add(&action);
    let mut watch = Watch::new(koda, &action);
    let sent = Instant::now();
    let id = send(kt, file).await?;
    let until = sent + Duration::from_secs(300);
    let mut deaths = 0;
    let (mut import, mut is_over) = (Value::Null, false);
    let mut more: Option<(Watch, bool)> = None;
    while !is_over || import["status"] == 1 || more.as_ref().is_some_and(|(_, is_over)| !is_over) {
        if Instant::now() > until {
            bail!("not over after {deaths} ends: {import}");
        }
        for index in 0..2 {
            if rig.workers[index].process.has_ended() {
                deaths += 1;
                rig.workers.remove(index);
                start(rig, limit).await?;
                let fresh = rig.workers.pop().context("no worker")?;
                rig.workers.insert(index, fresh);
            }
        }
        if !is_over {
            is_over = watch.look().await?;
        } else if import["status"] == 1 && more.as_ref().is_none_or(|(_, is_over)| *is_over) {
            // With nothing else to do there is room for an import, too.
            let next = actions::launch(koda, SYNC_TO_REGISTER, &filters).await?;
            stretch.add(&next);
            more = Some((Watch::new(koda, &next), false));
        } else if let Some((watch, is_over)) = &mut more {
            *is_over = watch.look().await?;
        }
        import = kt.get(&format!("/v2/imports/{id}")).await?.expect(200)?;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    report.note(format!(
        "with {limit} MB: processes ended {deaths}; the import after {} s: {}",
        sent.elapsed().as_secs(),
        ended(&import)
    ));
    let message = import["message"].as_str().unwrap_or_default();
    report.check(
        import["status"] == 3 && message.contains("Midagi ei muudetud"),
        || format!("the import ended {}", ended(&import)),
    );
    report.check(deaths > 0, || "no process ran out of memory".into());
    watch.finish(rig, Duration::from_secs(120)).await?;
    if let Some((mut watch, _)) = more {
        watch.finish(rig, Duration::from_secs(120)).await?;
    }
    all_ok(rig, action.id, action.total, report).await?;
    report.wrong.append(&mut watch.wrong);
    // Whoever was started last works.
    let fresh = actions::launch(koda, SYNC_TO_REGISTER, &few(rig).await?).await?;
    stretch.add(&fresh);
    let took = Watch::new(koda, &fresh)
        .finish(rig, Duration::from_secs(60))
        .await?;
    report.recovered(took, Duration::from_secs(30));
    Ok(stretch)
}

async fn few(rig: &Rig) -> Result<Value> {
    Ok(actions::newest(&rig.admin, None, 40).await?.0)
}

async fn some(rig: &Rig, koda: &Session) -> Result<Action> {
    actions::launch(koda, SYNC_TO_REGISTER, &few(rig).await?).await
}

async fn send(kt: &Session, file: &[u8]) -> Result<i64> {
    let sent = uploads::send(kt, file).await?.expect(202)?;
    sent["id"].as_i64().context("an import without an id")
}

fn ended(import: &Value) -> String {
    format!(
        "status {}, {} %, {}",
        import["status"], import["percent"], import["message"]
    )
}

async fn kill_all(rig: &mut Rig) -> Result<()> {
    for worker in std::mem::take(&mut rig.workers) {
        worker.process.kill().await?;
    }
    Ok(())
}

/// Ends what the measuring began, as an operator may.
async fn end_imports(rig: &Rig) -> Result<()> {
    sqlx::query(
        "update jobs set state = 'cancelled', finished_at = clock_timestamp(), lease_until = null
         where kind = 'ImportCases' and state in ('queued', 'dispatched', 'running')",
    )
    .execute(&rig.admin)
    .await?;
    Ok(())
}

/// That processes ended by what was injected, and not by something else.
fn aborted_for_memory(rig: &Rig, report: &mut Report) -> Result<()> {
    let (mut allocation, mut thread, mut other) = (0, 0, Vec::new());
    for entry in std::fs::read_dir(rig.folder.join("starved"))? {
        let path = entry?.path();
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        allocation += usize::from(text.contains("memory allocation of"));
        thread += usize::from(text.contains("no thread is to be had"));
        let panics = text
            .lines()
            .filter(|line| line.contains("a handler panicked"));
        if panics.count() > 0 && !text.contains("no thread is to be had") {
            other.push(path.display().to_string());
        }
    }
    report.note(format!(
        "ends by a refused allocation {allocation}, by a refused thread {thread}"
    ));
    report.check(other.is_empty(), || {
        format!(
            "handlers panicked for another reason, see {}",
            other.join(", ")
        )
    });
    Ok(())
}

/// Of one process.
#[derive(Debug, Clone, Copy)]
struct Memory {
    size_mb: u64,
    peak_mb: u64,
    resident_mb: u64,
}

impl Memory {
    fn of(pid: u32) -> Result<Self> {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let text = line.unwrap_or_default().trim().trim_end_matches("kB");
            let kb: u64 = text.trim().parse().with_context(|| format!("no {name}"))?;
            anyhow::Ok(kb.div_ceil(1024))
        };
        Ok(Self {
            size_mb: field("VmSize:")?,
            peak_mb: field("VmPeak:")?,
            resident_mb: field("VmHWM:")?,
        })
    }
}
