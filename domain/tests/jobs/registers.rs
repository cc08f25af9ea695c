//! The breaker and the rate of a register: the clock is data, set back where time must have passed.
use std::time::Duration;

use domain::ids::{RoleId, TenantId, UserId};
use domain::jobs::dispatch;
use domain::jobs::{Kind, run};
use domain::registers::{self, Flow, Outcomes, Register, State, TARN, Turn};
use domain::{Actor, Error, Role, Scope, db};
use sqlx::AssertSqlSafe;

use crate::Ground;

const AGO: &str = "update registers set next_probe_at = next_probe_at - interval '15 s'";

impl Ground {
    async fn note(&self, calls: i32, failures: i32) -> bool {
        let outcomes = Outcomes {
            calls,
            failures,
            ms: i64::from(calls) * 40,
            last_error: (failures > 0).then(|| "Register vastas veaga (HTTP 500).".into()),
        };
        let mut conn = self.queue.acquire().await.expect("a connection");
        registers::note(&mut conn, TARN, &outcomes)
            .await
            .expect("noted")
    }

    async fn ask(&self, wanted: u32) -> Turn {
        let mut conn = self.queue.acquire().await.expect("a connection");
        registers::slots(&mut conn, TARN, wanted)
            .await
            .expect("a turn")
    }

    async fn tarn(&self) -> Register {
        let mut conn = self.queue.acquire().await.expect("a connection");
        let mut all = registers::list(&mut conn).await.expect("registers");
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    async fn open(&self) {
        assert!(self.note(20, 20).await);
    }

    async fn close(&self) -> bool {
        let mut conn = self.queue.acquire().await.expect("a connection");
        registers::close(&mut conn, TARN).await.expect("closed")
    }

    async fn arrange(&self, sql: impl Into<String>) {
        sqlx::query(AssertSqlSafe(sql.into()))
            .execute(&self.admin)
            .await
            .expect("arranged");
    }
}

#[tokio::test]
async fn a_breaker_opens_at_20_calls_and_60_percent_failures_and_not_below() {
    let ground = Ground::new().await;
    for (calls, failures, opens) in [
        (19, 19, false),
        (20, 11, false),
        (20, 12, true),
        (100, 59, false),
        (100, 60, true),
        (200, 0, false),
    ] {
        assert_eq!(
            ground.note(calls, failures).await,
            opens,
            "{failures} of {calls}"
        );
        let register = ground.tarn().await;
        assert_eq!(register.state == State::Open, opens);
        assert_eq!(register.opened_at.is_some(), opens);
        assert_eq!(register.last_error_at.is_some(), failures > 0);
        assert_eq!(register.last_ok_at.is_some(), failures < calls);
        assert_eq!(
            (register.calls, register.failures, register.mean_ms),
            (calls.into(), failures.into(), Some(40))
        );
        ground.arrange("delete from register_outcomes").await;
        ground
            .arrange("update registers set state = 'closed', opened_at = null, last_error_at = null, last_ok_at = null")
            .await;
    }
}

#[tokio::test]
async fn the_calls_of_all_processes_count_together_for_30_seconds() {
    let ground = Ground::new().await;
    assert!(!ground.note(10, 10).await);
    assert!(ground.note(10, 10).await, "another process");
    assert!(ground.close().await);

    assert!(
        !ground.note(19, 19).await,
        "what was before the reopening is over"
    );
    ground
        .arrange("update register_outcomes set at = at - interval '31 s'")
        .await;
    ground
        .arrange("update registers set closed_at = closed_at - interval '60 s'")
        .await;
    assert!(!ground.note(19, 19).await, "what was 30 s ago is over");
    assert!(ground.note(1, 1).await);
}

#[tokio::test]
async fn an_open_register_is_given_one_probe_each_15_seconds_whoever_asks() {
    let ground = Ground::new().await;
    ground.open().await;
    for round in 1..=10 {
        assert!(
            matches!(ground.ask(1).await, Turn::Open(_)),
            "not before its time"
        );
        ground.arrange(AGO).await;
        let (one, other) = tokio::join!(ground.ask(1), ground.ask(50));
        let waits = match (one, other) {
            (Turn::Probe, Turn::Open(wait)) | (Turn::Open(wait), Turn::Probe) => wait,
            both => panic!("one probe, not {both:?}"),
        };
        assert!(waits > Duration::from_secs(10) && waits <= Duration::from_secs(15));
        assert_eq!(ground.tarn().await.probes, round);
    }
    assert!(ground.note(1, 1).await, "a probe in vain keeps it open");
}

#[tokio::test]
async fn a_probe_that_called_nothing_is_free_for_another() {
    let ground = Ground::new().await;
    ground.open().await;
    ground.arrange(AGO).await;
    for _ in 0..2 {
        assert_eq!(ground.ask(1).await, Turn::Probe);
        assert!(matches!(ground.ask(1).await, Turn::Open(_)));
        let mut conn = ground.queue.acquire().await.expect("a connection");
        registers::return_probe(&mut conn, TARN)
            .await
            .expect("returned");
        assert_eq!(ground.tarn().await.probes, 0);
    }
}

#[tokio::test]
async fn after_a_reopening_the_rate_starts_at_5_and_doubles_each_5_seconds() {
    let ground = Ground::new().await;
    assert_eq!(ground.tarn().await.allowed_per_second, 500, "never opened");
    ground.open().await;
    let register = ground.tarn().await;
    assert_eq!(
        (register.state, register.allowed_per_second),
        (State::Open, 0)
    );
    assert!(ground.close().await);
    assert!(!ground.close().await, "once");
    // Whole rates hold for five seconds; a second of slack for the statements in between.
    for (seconds, rate) in [
        (0, 5),
        (6, 10),
        (11, 20),
        (16, 40),
        (31, 320),
        (36, 500),
        (100_000, 500),
    ] {
        ground
            .arrange(format!(
                "update registers set closed_at = clock_timestamp() - interval '{seconds} s', slot_at = clock_timestamp()"
            ))
            .await;
        let register = ground.tarn().await;
        let state = if rate < 500 {
            State::Recovering
        } else {
            State::Closed
        };
        assert_eq!((register.state, register.allowed_per_second), (state, rate));
        let Turn::Slots { count, wait, every } = ground.ask(1_000).await else {
            panic!("slots");
        };
        let per_second = u32::try_from(rate).expect("a rate");
        assert_eq!(count, (per_second / 10).max(1), "100 ms of it");
        assert_eq!(every, Duration::from_secs(1) / per_second);
        assert!(wait < Duration::from_millis(250));
    }
    let rates: Vec<i32> = sqlx::query_scalar(
        "select register_rate(500, now(), now() + make_interval(secs => s)) from unnest(array[-1, 0, 4.99, 5, 9.99, 10, 34.99, 35, 1e9]) s",
    )
    .fetch_all(&ground.admin)
    .await
    .expect("rates");
    assert_eq!(rates, [5, 5, 5, 10, 10, 20, 320, 500, 500]);
}

#[tokio::test]
async fn all_processes_share_one_rate() {
    let ground = Ground::new().await;
    ground
        .arrange("update registers set rate_per_second = 100")
        .await;
    let from = std::time::Instant::now();
    let mut asks = Vec::new();
    for _ in 0..20 {
        let (one, other) = tokio::join!(ground.ask(7), ground.ask(1));
        asks.extend([one, other]);
    }
    let slots = asks.iter().map(|turn| match turn {
        Turn::Slots { count, .. } => *count,
        _ => 0,
    });
    let granted: u32 = slots.sum();
    let taken = Duration::from_millis(10) * granted;
    assert!(granted >= 25, "{granted}");
    let most = from.elapsed() + Duration::from_millis(250 + 70);
    assert!(taken <= most, "{granted} slots within {most:?}");
    if from.elapsed() < Duration::from_millis(100) {
        assert!(matches!(asks.last(), Some(Turn::Spent(_))), "{asks:?}");
    }
}

fn actor(role: Role) -> Actor {
    Actor {
        user_id: UserId(5),
        username: "mari".into(),
        role_id: RoleId(1),
        role,
        tenant_id: TenantId(1),
        tenant_code: "koda".into(),
        request_id: "r".into(),
    }
}

#[tokio::test]
async fn a_person_may_try_an_open_register_at_once() {
    let ground = Ground::new().await;
    let api = ground.db.pool("api");
    let mut tx = db::begin(&api, Scope::Queue).await.expect("begin");
    let refused = registers::probe_now(&mut tx, &actor(Role::Koda), TARN).await;
    assert!(matches!(
        refused,
        Err(Error::Refused {
            code: "not_open",
            ..
        })
    ));
    let refused = registers::probe_now(&mut tx, &actor(Role::Kt), TARN).await;
    assert!(matches!(refused, Err(Error::Forbidden)));
    let refused = registers::probe_now(&mut tx, &actor(Role::Dev), "none").await;
    assert!(matches!(refused, Err(Error::NotFound)));
    tx.rollback().await.expect("rollback");

    ground.open().await;
    for role in [Role::Koda, Role::Dev] {
        assert!(matches!(ground.ask(1).await, Turn::Open(_)));
        let mut tx = db::begin(&api, Scope::Queue).await.expect("begin");
        registers::probe_now(&mut tx, &actor(role), TARN)
            .await
            .expect("asked for");
        tx.commit().await.expect("commit");
        assert_eq!(ground.ask(1).await, Turn::Probe, "{role:?}");
    }
    let trail: Vec<(String, String, String)> = sqlx::query_as(
        "select action, username, before->>'register' from audit where object_class = 'Register'",
    )
    .fetch_all(&ground.admin)
    .await
    .expect("the audit");
    assert_eq!(
        trail,
        [(); 2].map(|()| ("probe".into(), "mari".into(), "tarn".into()))
    );
}

#[tokio::test]
async fn everybody_sees_how_the_registers_stand() {
    let ground = Ground::new().await;
    ground.note(3, 1).await;
    let api = ground.db.pool("api");
    for scope in [Scope::Bureau(TenantId(1)), Scope::Chamber, Scope::Queue] {
        let mut tx = db::begin(&api, scope).await.expect("begin");
        let seen = registers::list(&mut tx).await.expect("registers");
        assert_eq!((seen[0].calls, seen[0].failures), (3, 1), "{scope:?}");
    }
    for kind in Kind::ALL {
        if let Some(register) = kind.register() {
            let mut conn = ground.queue.acquire().await.expect("a connection");
            let known = registers::list(&mut conn).await.expect("registers");
            assert!(known.iter().any(|one| one.name == register), "{kind:?}");
        }
    }
}

#[tokio::test]
async fn the_dispatcher_keeps_what_waits_for_a_register() {
    let ground = Ground::new().await;
    let steering = async || {
        let mut conn = ground.queue.acquire().await.expect("a connection");
        dispatch::steering(&mut conn).await.expect("what steers")
    };
    let closed = steering().await;
    assert_eq!(closed.flows, [(TARN.into(), Flow::PerSecond(500))]);
    assert!(closed.paused_kinds.is_empty());
    ground.open().await;
    let open = steering().await;
    assert_eq!(open.flows, [(TARN.into(), Flow::Nothing)]);
    assert_eq!(open.paused_kinds, ["SyncToRegister"]);
    ground.arrange(AGO).await;
    let due = steering().await;
    assert_eq!(due.flows, [(TARN.into(), Flow::Probe)]);
    assert!(due.paused_kinds.is_empty());
    ground.close().await;
    assert_eq!(steering().await.flows, [(TARN.into(), Flow::PerSecond(5))]);
}

#[tokio::test]
async fn a_held_job_has_not_run_and_waits_for_its_time() {
    let ground = Ground::new().await;
    ground.tasks(1, 11, 2).await;
    let pairs: Vec<_> = ground.pick(10).await.remove(0).pairs;
    let [(first, number), second] = pairs[..] else {
        panic!("{pairs:?}");
    };
    let mut conn = ground.queue.acquire().await.expect("a connection");
    let minute = Duration::from_secs(60);
    let overtaken = run::hold(&mut conn, &[(first, number - 1)], minute).await;
    assert_eq!(overtaken.expect("no error"), 0, "fenced");
    assert_eq!(ground.claim(&[second]).await.len(), 1);
    let held = run::hold(&mut conn, &pairs, minute).await.expect("held");
    assert_eq!(held, 1, "what runs goes on");
    let row: (String, i32, i16, bool, bool) = sqlx::query_as(
        "select state::text, runs, failures, lease_until is null, run_at > clock_timestamp() + interval '50 s'
         from jobs where id = $1",
    )
    .bind(first.0)
    .fetch_one(&ground.admin)
    .await
    .expect("the row");
    assert_eq!(row, ("queued".into(), 0, 0, true, true));
    assert!(ground.pick(10).await.is_empty(), "not yet");
    let attempts: i64 = sqlx::query_scalar("select count(*) from attempts")
        .fetch_one(&ground.admin)
        .await
        .expect("attempts");
    assert_eq!(attempts, 0);
}

#[tokio::test]
async fn outcomes_are_kept_for_an_hour() {
    let ground = Ground::new().await;
    ground.note(1, 0).await;
    ground
        .arrange(
            "insert into register_outcomes values ('tarn', now() - interval '61 min', 1, 0, 1)",
        )
        .await;
    let mut conn = ground.queue.acquire().await.expect("a connection");
    registers::forget(&mut conn).await.expect("forgotten");
    let left: i64 = sqlx::query_scalar("select count(*) from register_outcomes")
        .fetch_one(&ground.admin)
        .await
        .expect("a count");
    assert_eq!(left, 1);
}
