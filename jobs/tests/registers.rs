//! The national register fails and comes back under real worker processes: who calls it, and what becomes of the tasks.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
#[allow(dead_code, reason = "shared with the tests of domain")]
#[path = "../../domain/tests/bulk_actions/world.rs"]
mod world;

use std::time::Duration;

use chrono::{DateTime, Utc};
use domain::bulk_actions::Status;
use domain::ids::BulkActionId;
use domain::jobs::{Queue, State};
use jobs::process::{self, Settings};
use register_simulator::{Act, Handle, Rule};
use serde_json::json;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use world::World;

struct Stack {
    world: World,
    register: Handle,
    action: BulkActionId,
    processes: Vec<(CancellationToken, JoinHandle<Result<(), String>>)>,
}

impl Stack {
    /// The register, a bulk action over so many cases, and nobody who works it.
    async fn new(cases: i32) -> Self {
        let world = World::new().await;
        let at = "127.0.0.1:0".parse().unwrap();
        let register = register_simulator::start(at).await.unwrap();
        world.cases(world.b101, cases).await;
        let action = world.launch(&world.chamber(), 9, json!({})).await;
        Self {
            world,
            register,
            action,
            processes: Vec::new(),
        }
    }

    /// One more worker process.
    fn start(&mut self) {
        let database = self.world.jobs.connect_options().as_ref().clone();
        let settings = Settings {
            redis_prefix: format!("test-{}", database.get_database().unwrap()),
            database,
            redis_url: std::env::var("REDIS_URL").unwrap(),
            concurrency: vec![(Queue::Register, 8)],
            registers: registers::Config::new(&self.register.url()).unwrap(),
            store: std::sync::Arc::new(object_store::memory::InMemory::new()),
            mail: jobs::mail::Config::to_files(),
            webhooks: jobs::webhook::Config::default(),
            drain: Duration::from_secs(5),
            status: None,
        };
        let stop = CancellationToken::new();
        self.processes
            .push((stop.clone(), tokio::spawn(process::run(settings, stop))));
    }

    async fn stop(self) {
        for (stop, process) in self.processes {
            stop.cancel();
            process.await.unwrap().unwrap();
        }
    }

    /// Waits until a question about the rows is answered with yes.
    async fn until(&self, sql: &'static str) {
        let holds = async {
            while !sqlx::query_scalar::<_, bool>(sql)
                .fetch_one(&self.world.admin)
                .await
                .unwrap()
            {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(100), holds).await;
        waited.unwrap_or_else(|_| panic!("not in time: {sql}"));
    }

    async fn arrange(&self, sql: &'static str) {
        sqlx::raw_sql(sql).execute(&self.world.admin).await.unwrap();
    }

    async fn number(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql)
            .fetch_one(&self.world.admin)
            .await
            .unwrap()
    }
}

const AT_REST: &str =
    "select not exists (select from jobs where state in ('dispatched', 'running'))";
const DONE: &str =
    "select not exists (select from jobs where state in ('queued', 'dispatched', 'running'))";
const FAILURES: &str = "select sum(failures)::bigint from jobs";
/// As if the time of the next probe had come.
const DUE: &str = "update registers set next_probe_at = clock_timestamp()";

/// The whole life of an outage: it opens, tasks wait and burn nothing, one call at a time tries, and slowly all end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_wait_for_a_register_that_fails_and_all_end_when_it_is_back() {
    let mut stack = Stack::new(60).await;
    stack.register.script([Rule::always(Act::Http500)]).unwrap();
    stack.start();
    stack.start();
    stack
        .until("select state = 'open' from registers where name = 'tarn'")
        .await;
    // The probes' times are this test's.
    stack
        .arrange("update registers set next_probe_at = clock_timestamp() + interval '1 h'")
        .await;
    // What had its slot already has gone by then.
    stack
        .until("select clock_timestamp() > opened_at + interval '1 s' from registers")
        .await;
    stack.until(AT_REST).await;
    let (failures, calls) = (stack.number(FAILURES).await, stack.register.calls().len());
    assert!((20..=120).contains(&failures), "{failures}");
    let probed = [
        "select probes = 1 from registers",
        "select probes = 2 from registers",
        "select probes = 3 from registers",
    ];
    for (nth, probed) in probed.into_iter().enumerate() {
        stack.arrange(DUE).await;
        stack.until(probed).await;
        stack
            .arrange("update registers set next_probe_at = clock_timestamp() + interval '1 h'")
            .await;
        stack.until(AT_REST).await;
        assert_eq!(
            stack.register.calls().len(),
            calls + nth + 1,
            "one call a probe"
        );
    }
    assert_eq!(stack.number(FAILURES).await, failures, "nothing is burnt");
    let last_error: String = sqlx::query_scalar("select last_error from registers")
        .fetch_one(&stack.world.admin)
        .await
        .unwrap();
    assert_eq!(last_error, "Register vastas veaga (HTTP 500).");

    stack.register.clear_script();
    stack.arrange(DUE).await;
    stack
        .until("select state = 'closed' and closed_at is not null from registers")
        .await;
    let closed_at: DateTime<Utc> = sqlx::query_scalar("select closed_at from registers")
        .fetch_one(&stack.world.admin)
        .await
        .unwrap();
    stack.until(DONE).await;
    assert_eq!(
        stack.world.in_state(stack.action, State::Ok).await,
        60,
        "all end well"
    );
    stack.until("select status <> 1 from bulk_actions").await;
    assert_eq!(stack.world.action(stack.action).await.status, Status::Ok);
    assert_eq!(stack.number(FAILURES).await, failures);
    assert_eq!(
        stack.register.effects().len(),
        60,
        "one effect a task, though some were sent more than once"
    );
    let since = |seconds| {
        let until = closed_at + chrono::Duration::seconds(seconds);
        let calls = stack.register.calls();
        let calls = calls
            .iter()
            .filter(|call| call.at > closed_at && call.at < until);
        calls.count()
    };
    // A slot may be given out a little before its time, never more than one more a process.
    assert!(since(5) <= 25 + 2, "{} calls in 5 s", since(5));
    assert!(since(10) <= 75 + 3, "{} calls in 10 s", since(10));
    stack.stop().await;
}

/// Figures that cannot be written keep nobody from calling, and are not lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_go_on_while_their_outcomes_cannot_be_written() {
    let mut stack = Stack::new(30).await;
    let mut held = stack.world.admin.begin().await.unwrap();
    sqlx::query("lock table register_outcomes")
        .execute(&mut *held)
        .await
        .unwrap();
    stack.start();
    stack.until(DONE).await;
    assert_eq!(stack.world.in_state(stack.action, State::Ok).await, 30);
    held.rollback().await.unwrap();
    stack
        .until("select coalesce(sum(calls), 0) = 60 and coalesce(sum(failures), 0) = 0 from register_outcomes")
        .await;
    stack.stop().await;
}
