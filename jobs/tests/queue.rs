//! The queue end to end: rows, Redis, workers. Real PostgreSQL and Redis, one prefix of keys a test.
use std::time::Duration;

use domain::ids::TenantId;
use domain::jobs::{Kind, NewJob, Queue, WINDOW, enqueue};
use domain::testing::Database;
use jobs::broker::Broker;
use jobs::process::{self, Settings};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

struct Stack {
    db: Database,
    admin: PgPool,
    redis_url: String,
    prefix: String,
    processes: Vec<(
        CancellationToken,
        tokio::task::JoinHandle<Result<(), String>>,
    )>,
}

impl Stack {
    async fn new() -> Self {
        drop(
            tracing_subscriber::fmt()
                .with_env_filter("info")
                .with_test_writer()
                .try_init(),
        );
        let db = Database::new().await;
        let admin = db.admin();
        let redis_url = std::env::var("REDIS_URL").expect("REDIS_URL names a Redis for tests");
        let prefix = format!("test-{}", db.name);
        Self {
            db,
            admin,
            redis_url,
            prefix,
            processes: Vec::new(),
        }
    }

    fn start(&mut self) {
        let settings = Settings {
            database: self.db.options().username("toimik_jobs"),
            redis_url: self.redis_url.clone(),
            redis_prefix: self.prefix.clone(),
            concurrency: vec![
                (Queue::Interactive, 8),
                (Queue::Bulk, 2),
                (Queue::Register, 8),
            ],
            registers: registers::Config::new("http://127.0.0.1:9/xroad").expect("a URL"),
            store: std::sync::Arc::new(object_store::memory::InMemory::new()),
            mail: jobs::mail::Config::to_files(),
            webhooks: jobs::webhook::Config::default(),
            drain: Duration::from_millis(200),
            status: None,
        };
        let stop = CancellationToken::new();
        self.processes
            .push((stop.clone(), tokio::spawn(process::run(settings, stop))));
    }

    async fn stop(mut self) {
        self.end_processes().await;
    }

    async fn end_processes(&mut self) {
        for (stop, process) in std::mem::take(&mut self.processes) {
            stop.cancel();
            process.await.expect("no panic").expect("an orderly end");
        }
    }

    async fn enqueue(&self, jobs: i32) {
        sqlx::query(
            "insert into jobs (tenant_id, queue, kind) select 1 + n % 3, 'interactive', 'Probe' from generate_series(1, $1) n",
        )
        .bind(jobs)
        .execute(&self.admin)
        .await
        .expect("enqueued");
    }

    /// Waits until no job lives; `watch` is asked on the way.
    async fn drain(&self, mut watch: impl AsyncFnMut()) {
        let drained = async {
            loop {
                let live: i64 = sqlx::query_scalar(
                    "select count(*) from jobs where state in ('queued', 'dispatched', 'running')",
                )
                .fetch_one(&self.admin)
                .await
                .expect("a count");
                if live == 0 {
                    return;
                }
                watch().await;
                tracing::info!(live, "waiting");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(120), drained)
            .await
            .expect("drained in two minutes");
    }
}

async fn count(pool: &PgPool, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql)
        .fetch_one(pool)
        .await
        .expect("a count")
}

/// apalis-redis stops for good at 8,000 due tasks; the window keeps it far from that.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backlog_of_20000_due_jobs_drains() {
    let mut stack = Stack::new().await;
    stack.enqueue(20_000).await;
    stack.start();
    stack.start();
    let broker = Broker::connect(&stack.redis_url, &stack.prefix)
        .await
        .expect("Redis");
    let mut most = 0;
    stack
        .drain(async || {
            let held = broker.held().await.expect("Redis answers");
            most = most.max(held.jobs.iter().map(|(_, jobs)| *jobs).sum::<usize>());
        })
        .await;
    assert!(most <= WINDOW, "Redis held {most}");
    assert_eq!(
        count(
            &stack.admin,
            "select count(*) from jobs where state = 'ok' and runs = 1"
        )
        .await,
        20_000
    );
    assert_eq!(
        count(
            &stack.admin,
            "select count(*) from attempts where outcome = 'ok'"
        )
        .await,
        20_000
    );
    stack.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_enqueued_by_a_login_starts_at_once_and_leaves_nothing_in_redis() {
    let mut stack = Stack::new().await;
    stack.start();
    let pool = stack.db.pool("api");
    let mut tx = domain::db::begin(&pool, domain::Scope::Chamber)
        .await
        .expect("begin");
    let job = enqueue(&mut tx, &NewJob::new(Kind::Probe, TenantId(1)))
        .await
        .expect("enqueued");
    tx.commit().await.expect("commit");
    stack.drain(async || {}).await;
    let state: String = sqlx::query_scalar("select state::text from jobs where id = $1")
        .bind(job.0)
        .fetch_one(&stack.admin)
        .await
        .expect("the row");
    assert_eq!(state, "ok");
    let mut redis = redis::Client::open(stack.redis_url.as_str())
        .expect("URL")
        .get_multiplexed_async_connection()
        .await
        .expect("Redis");
    let gone = async {
        loop {
            let data: i64 = redis::cmd("HLEN")
                .arg(format!("{}:interactive:data", stack.prefix))
                .query_async(&mut redis)
                .await
                .expect("HLEN");
            if data == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone)
        .await
        .expect("finished tasks leave Redis");
    stack.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_redis_loses_nothing() {
    let mut stack = Stack::new().await;
    stack.enqueue(3_000).await;
    stack.start();
    let mut redis = redis::Client::open(stack.redis_url.as_str())
        .expect("URL")
        .get_multiplexed_async_connection()
        .await
        .expect("Redis");
    let (prefix, mut left) = (stack.prefix.clone(), 3);
    stack
        .drain(async || {
            let keys: Vec<String> = redis::cmd("KEYS")
                .arg(format!("{prefix}:*"))
                .query_async(&mut redis)
                .await
                .expect("KEYS");
            if left > 0 && keys.len() > 10 {
                left -= 1;
                let _: i64 = redis::cmd("DEL")
                    .arg(&keys)
                    .query_async(&mut redis)
                    .await
                    .expect("DEL");
            }
        })
        .await;
    assert_eq!(
        count(&stack.admin, "select count(*) from jobs where state = 'ok'").await,
        3_000
    );
    assert_eq!(
        count(
            &stack.admin,
            "select count(*) from attempts where outcome = 'ok'"
        )
        .await,
        3_000
    );
    stack.stop().await;
}

/// The database itself counts at every write of a job, so nothing between two looks is missed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_action_never_has_more_under_way_than_its_pace_allows() {
    let mut stack = Stack::new().await;
    let action: i64 = sqlx::query_scalar(
        "with u as (insert into users (username, username_key, name) values ('t', 't', 'T') returning id)
         insert into bulk_actions (tenant_id, type, created_by, created_by_role, cases_frozen_at, pace_parallel)
         select b.id, 3, u.id, 'koda', now(), 3 from bureaus b, u where b.is_chamber returning id",
    )
    .fetch_one(&stack.admin)
    .await
    .expect("an action");
    sqlx::raw_sql(
        "create table seen (jobs bigint not null);
         create function see() returns trigger language plpgsql security definer as $$
         begin
           insert into public.seen select count(*) from public.jobs
           where bulk_action_id is not null and state in ('dispatched', 'running');
           return null;
         end $$;
         create trigger see after update on jobs for each statement execute function see()",
    )
    .execute(&stack.admin)
    .await
    .expect("a watch");
    sqlx::query(
        "insert into jobs (tenant_id, bulk_action_id, queue, kind) select 1 + n % 2, $1, 'bulk', 'Probe' from generate_series(1, 120) n",
    )
    .bind(action)
    .execute(&stack.admin)
    .await
    .expect("enqueued");
    stack.start();
    stack.drain(async || {}).await;
    assert_eq!(
        count(&stack.admin, "select max(jobs) from seen").await,
        3,
        "all that is allowed, and no more"
    );
    // How it moved is told, at the latest when the process ends.
    stack.end_processes().await;
    let told = "select sum(done + failed)::bigint from movements where subject = 'bulk' and tenant_id in (1, 2)";
    assert_eq!(count(&stack.admin, told).await, 120);
}

/// A process that is told to end while its work waits for a lock breaks it off, and nothing counts against the jobs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_hands_back_what_it_cannot_finish() {
    let mut stack = Stack::new().await;
    let mut holder = stack.admin.begin().await.expect("begin");
    sqlx::raw_sql("lock table cases in access exclusive mode")
        .execute(&mut *holder)
        .await
        .expect("the lock");
    let jobs: Vec<i64> = sqlx::query_scalar(
        "insert into jobs (tenant_id, queue, kind, case_id) select 1 + n % 3, 'bulk', 'TouchCase', n
         from generate_series(1, 9) n returning id",
    )
    .fetch_all(&stack.admin)
    .await
    .expect("enqueued");
    // The message of this one may be on its way.
    let sent = jobs[0];
    sqlx::query(
        "insert into outward_calls (tenant_id, subject, operation, intent, class, state, message_id, job_id)
         values (1, 'case:1', 'test', 1, 'state', 'intent', gen_random_uuid(), $1)",
    )
    .bind(sent)
    .execute(&stack.admin)
    .await
    .expect("the ledger");
    stack.start();
    let waiting = async {
        let sql = "select count(*) from pg_stat_activity
                   where datname = current_database() and usename = 'toimik_jobs' and wait_event_type = 'Lock'";
        while count(&stack.admin, sql).await < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), waiting)
        .await
        .expect("two lists under way");
    stack.end_processes().await;

    let left: Vec<i64> = sqlx::query_scalar("select id from jobs where state = 'running'")
        .fetch_all(&stack.admin)
        .await
        .expect("rows");
    assert!(left.iter().all(|id| *id == sent), "{left:?}, not {sent}");
    // On a slow machine the lock's own time-out may release some of them first.
    let (released, other): (i64, i64) = sqlx::query_as(
        "select count(*) filter (where outcome = 'released'),
                count(*) filter (where outcome <> 'released') from attempts",
    )
    .fetch_one(&stack.admin)
    .await
    .expect("attempts");
    assert!(released >= 5 && other == 0, "{released} {other}");
    assert_eq!(
        count(
            &stack.admin,
            "select count(*) from jobs where failures + crashes > 0 or suspect"
        )
        .await,
        0
    );
    holder.rollback().await.expect("rollback");
    sqlx::query("update jobs set lease_until = clock_timestamp() where state = 'running'")
        .execute(&stack.admin)
        .await
        .expect("the lease of what was sent");
    stack.start();
    stack.drain(async || {}).await;
    assert_eq!(
        count(
            &stack.admin,
            "select count(*) from jobs where state = 'ok' and failures + crashes = 0"
        )
        .await,
        9
    );
    stack.stop().await;
}

/// Processes that die one after another leave nothing in Redis, even where nobody led while they lived.
#[tokio::test]
async fn workers_that_died_are_forgotten_and_live_ones_are_not() {
    let stack = Stack::new().await;
    let broker = Broker::connect(&stack.redis_url, &stack.prefix)
        .await
        .expect("Redis");
    let mut redis = redis::Client::open(stack.redis_url.as_str())
        .expect("URL")
        .get_multiplexed_async_connection()
        .await
        .expect("Redis");
    let queue = format!("{}:register", stack.prefix);
    let key = |worker: usize| format!("{queue}:workers:metadata:register-{worker}");
    for worker in 0..1_500 {
        let _: () = redis::cmd("HSET")
            .arg(key(worker))
            .arg(&["service", "x"])
            .query_async(&mut redis)
            .await
            .expect("HSET");
    }
    let _: () = redis::cmd("ZADD")
        .arg(format!("{queue}:workers"))
        .arg(&["1", "register-7"])
        .query_async(&mut redis)
        .await
        .expect("ZADD");
    let cleaned = async {
        loop {
            broker.clean().await.expect("cleaned");
            let left: Vec<String> = redis::cmd("KEYS")
                .arg(format!("{queue}:workers:metadata:*"))
                .query_async(&mut redis)
                .await
                .expect("KEYS");
            if left == [key(7)] {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), cleaned)
        .await
        .expect("only the live one is left");
    stack.stop().await;
}

/// A Redis that throws keys away when it is full would lose work without a word.
#[tokio::test]
async fn a_redis_that_evicts_is_refused() {
    let folder = std::env::temp_dir().join(format!("toimik-redis-{}", uuid::Uuid::new_v4()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let socket = folder.join("redis.sock");
    let server = tokio::process::Command::new("redis-server")
        .args([
            "--port",
            "0",
            "--save",
            "",
            "--maxmemory-policy",
            "allkeys-lru",
        ])
        .arg("--unixsocket")
        .arg(&socket)
        .stdout(std::process::Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("redis-server");
    let url = format!("redis+unix://{}", socket.display());
    let answered = async {
        loop {
            match Broker::connect(&url, "test").await {
                Err(sentence) if !sentence.contains("does not answer") => return sentence,
                Err(_) => tokio::task::yield_now().await,
                Ok(_) => return "taken".into(),
            }
        }
    };
    let sentence = tokio::time::timeout(Duration::from_secs(20), answered)
        .await
        .expect("an answer");
    assert_eq!(
        sentence,
        "Redis must have maxmemory-policy noeviction, not allkeys-lru."
    );
    drop(server);
    std::fs::remove_dir_all(&folder).expect("removed");
}
