//! Due times become firings once, whoever leads; what fails again and again is shut; people run, shut and open.
use chrono::{DateTime, TimeDelta, Utc};
use domain::crons::{self, CatchUp, Cron, Open, Outcome, Overlap, TABLE};
use domain::ids::{JobId, RoleId, TenantId, UserId};
use domain::jobs::Kind;
use domain::leases::{self, Name, Term};
use domain::testing::Database;
use domain::{Actor, Error, Role, Scope, db};
use sqlx::PgPool;

struct Ground {
    _database: Database,
    admin: PgPool,
    pool: PgPool,
    term: Term,
}

const MINUTELY: Cron = Cron {
    id: 77,
    name: "minutely",
    schedule: "* * * * *",
    kind: Kind::Probe,
    overlap: Overlap::Skip,
    catch_up: CatchUp::None,
};

fn at(text: &str) -> DateTime<Utc> {
    format!("2026-11-02T{text}Z").parse().unwrap()
}

impl Ground {
    async fn new() -> Self {
        let database = Database::new().await;
        let (admin, pool) = (database.admin(), database.pool("scheduler"));
        let mut tx = db::begin(&pool, Scope::Queue).await.unwrap();
        let term = leases::take(&mut tx, Name::Scheduler, "one").await.unwrap();
        tx.commit().await.unwrap();
        Self {
            _database: database,
            admin,
            pool,
            term: term.unwrap(),
        }
    }

    async fn fire(&self, cron: &Cron, now: DateTime<Utc>) -> Vec<JobId> {
        let mut tx = db::begin(&self.pool, Scope::Queue).await.unwrap();
        let jobs = crons::fire(&mut tx, &self.term, cron, now).await.unwrap();
        tx.commit().await.unwrap();
        jobs
    }

    async fn settle(&self) -> Vec<String> {
        let mut tx = db::begin(&self.pool, Scope::Queue).await.unwrap();
        let shut = crons::settle(&mut tx, &self.term).await.unwrap();
        tx.commit().await.unwrap();
        shut
    }

    async fn end(&self, jobs: &[JobId], state: &str) {
        let ids: Vec<i64> = jobs.iter().map(|job| job.0).collect();
        let ended = format!(
            "update jobs set state = '{state}', started_at = clock_timestamp(), finished_at = clock_timestamp() where id = any($1)"
        );
        sqlx::query(sqlx::AssertSqlSafe(ended))
            .bind(ids)
            .execute(&self.admin)
            .await
            .unwrap();
    }

    /// Minutes that were fired, with what came of them.
    async fn rows(&self, cron: &Cron) -> Vec<(String, Option<String>)> {
        sqlx::query_as(
            "select to_char(scheduled_at at time zone 'UTC', 'HH24:MI'), outcome from cron_runs where cron = $1 order by scheduled_at",
        )
        .bind(cron.name)
        .fetch_all(&self.admin)
        .await
        .unwrap()
    }

    async fn actor(&self, role: Role) -> Actor {
        let (tenant_id,): (i64,) = sqlx::query_as("select id from bureaus where is_chamber")
            .fetch_one(&self.admin)
            .await
            .unwrap();
        let (user,): (i64,) = sqlx::query_as(
            "insert into users (username, username_key, name) values (gen_random_uuid(), gen_random_uuid(), 'Op') returning id",
        )
        .fetch_one(&self.admin)
        .await
        .unwrap();
        Actor {
            user_id: UserId(user),
            username: "op".into(),
            role_id: RoleId(1),
            role,
            tenant_id: TenantId(tenant_id),
            tenant_code: "koda".into(),
            request_id: "r".into(),
        }
    }
}

#[tokio::test]
async fn a_due_time_fires_once_whoever_looks_and_however_often() {
    let ground = Ground::new().await;
    let probe = Cron {
        overlap: Overlap::Queue,
        ..MINUTELY
    };
    assert!(
        ground.fire(&probe, at("10:00:30")).await.is_empty(),
        "it begins with the next"
    );
    assert!(ground.fire(&probe, at("10:00:59")).await.is_empty());
    assert_eq!(ground.fire(&probe, at("10:01:00")).await.len(), 1);
    assert!(ground.fire(&probe, at("10:01:00")).await.is_empty());
    assert!(
        ground.fire(&probe, at("10:00:59")).await.is_empty(),
        "a clock that goes back"
    );
    // Another leader's memory does not matter: what was decided is in the database, and the row is unique besides.
    sqlx::query("update crons set decided_at = $1")
        .bind(at("10:00:00"))
        .execute(&ground.admin)
        .await
        .unwrap();
    assert!(ground.fire(&probe, at("10:01:30")).await.is_empty());
    assert_eq!(ground.fire(&probe, at("10:02:10")).await.len(), 1);
    let jobs: i64 = sqlx::query_scalar("select count(*) from jobs")
        .fetch_one(&ground.admin)
        .await
        .unwrap();
    assert_eq!((jobs, ground.rows(&probe).await.len()), (2, 2));
}

#[tokio::test]
async fn an_old_term_changes_nothing() {
    let ground = Ground::new().await;
    ground.fire(&MINUTELY, at("10:00:30")).await;
    sqlx::query("update leases set expires_at = clock_timestamp()")
        .execute(&ground.admin)
        .await
        .unwrap();
    let mut tx = db::begin(&ground.pool, Scope::Queue).await.unwrap();
    let new = leases::take(&mut tx, Name::Scheduler, "two")
        .await
        .unwrap()
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(new.number, ground.term.number + 1);
    let mut tx = db::begin(&ground.pool, Scope::Queue).await.unwrap();
    let refused = crons::fire(&mut tx, &ground.term, &MINUTELY, at("10:01:00")).await;
    assert!(
        matches!(
            refused,
            Err(Error::Refused {
                code: "not_leader",
                ..
            })
        ),
        "{refused:?}"
    );
    drop(tx);
    assert!(ground.rows(&MINUTELY).await.is_empty());
    let mut tx = db::begin(&ground.pool, Scope::Queue).await.unwrap();
    assert_eq!(
        crons::fire(&mut tx, &new, &MINUTELY, at("10:01:00"))
            .await
            .unwrap()
            .len(),
        1
    );
    tx.commit().await.unwrap();
    // It may not settle either.
    ground
        .end(
            &[JobId(
                sqlx::query_scalar("select id from jobs")
                    .fetch_one(&ground.admin)
                    .await
                    .unwrap(),
            )],
            "ok",
        )
        .await;
    let mut tx = db::begin(&ground.pool, Scope::Queue).await.unwrap();
    assert!(crons::settle(&mut tx, &ground.term).await.is_err());
}

#[tokio::test]
async fn what_was_missed_is_caught_up_as_the_cron_says() {
    for (catch_up, expected) in [
        (CatchUp::None, ["missed", "missed", "missed", "job"]),
        (CatchUp::Last, ["missed", "missed", "missed", "job"]),
        (
            CatchUp::All(TimeDelta::minutes(3)),
            ["missed", "job", "job", "job"],
        ),
    ] {
        let ground = Ground::new().await;
        let cron = Cron {
            catch_up,
            overlap: Overlap::Queue,
            ..MINUTELY
        };
        ground.fire(&cron, at("10:00:30")).await;
        ground.fire(&cron, at("10:04:30")).await;
        let rows = ground.rows(&cron).await;
        let outcomes: Vec<&str> = rows
            .iter()
            .map(|(_, outcome)| outcome.as_deref().unwrap_or("job"))
            .collect();
        assert_eq!(outcomes, expected, "{catch_up:?}");
    }
}

#[tokio::test]
async fn of_a_long_rest_each_due_time_is_told() {
    let ground = Ground::new().await;
    let cron = Cron {
        catch_up: CatchUp::Last,
        overlap: Overlap::Queue,
        ..MINUTELY
    };
    ground.fire(&cron, at("10:00:30")).await;
    // Two full looks and none left over: the last of the second one runs.
    let back = at("10:00:30") + TimeDelta::minutes(2_000);
    assert!(ground.fire(&cron, back).await.is_empty());
    assert_eq!(ground.fire(&cron, back).await.len(), 1);
    assert!(ground.fire(&cron, back).await.is_empty());
    let told: (i64, i64, i64, bool) = sqlx::query_as(
        "select count(*), count(*) filter (where outcome = 'missed'), count(job_id),
                max(scheduled_at) = max(scheduled_at) filter (where job_id is not null) from cron_runs",
    )
    .fetch_one(&ground.admin)
    .await
    .unwrap();
    assert_eq!(told, (2_000, 1_999, 1, true));
}

#[tokio::test]
async fn a_firing_that_would_overlap_is_skipped_or_waits_in_the_queue() {
    let ground = Ground::new().await;
    ground.fire(&MINUTELY, at("10:00:30")).await;
    let first = ground.fire(&MINUTELY, at("10:01:00")).await;
    assert!(ground.fire(&MINUTELY, at("10:02:00")).await.is_empty());
    ground.end(&first, "ok").await;
    assert_eq!(
        ground.fire(&MINUTELY, at("10:03:00")).await.len(),
        1,
        "also before the outcome is written down"
    );
    assert!(ground.settle().await.is_empty());
    let expected = [
        ("10:01", Some("ok")),
        ("10:02", Some("skipped")),
        ("10:03", None),
    ];
    let rows = ground.rows(&MINUTELY).await;
    let rows: Vec<_> = rows
        .iter()
        .map(|(at, outcome)| (at.as_str(), outcome.as_deref()))
        .collect();
    assert_eq!(rows, expected);

    let queued = Cron {
        name: "queued",
        overlap: Overlap::Queue,
        ..MINUTELY
    };
    ground.fire(&queued, at("10:00:30")).await;
    ground.fire(&queued, at("10:01:00")).await;
    assert_eq!(ground.fire(&queued, at("10:02:00")).await.len(), 1);
    let overlapped: Vec<bool> = sqlx::query_scalar(
        "select overlapped from cron_runs where cron = 'queued' order by scheduled_at",
    )
    .fetch_all(&ground.admin)
    .await
    .unwrap();
    assert_eq!(overlapped, [false, true]);
}

#[tokio::test]
async fn three_failures_in_a_row_shut_a_cron_and_an_operator_opens_it_again() {
    let ground = Ground::new().await;
    let cron = TABLE[1];
    let dev = ground.actor(Role::Dev).await;
    let start = at("10:05:00");
    ground.fire(&cron, start).await;
    let mut now = start;
    for (n, state) in ["failed", "failed", "ok", "failed", "failed", "failed"]
        .into_iter()
        .enumerate()
    {
        now += TimeDelta::minutes(15);
        let jobs = ground.fire(&cron, now).await;
        assert_eq!(jobs.len(), 1, "firing {n}");
        ground.end(&jobs, state).await;
        let shut = ground.settle().await;
        assert_eq!(shut.is_empty(), n < 5, "{n}: {shut:?}");
    }
    assert!(
        ground
            .fire(&cron, now + TimeDelta::minutes(15))
            .await
            .is_empty(),
        "it is shut"
    );
    let mut tx = db::begin(&ground.pool, Scope::Queue).await.unwrap();
    let seen = crons::look(&mut tx, &cron, now + TimeDelta::hours(1))
        .await
        .unwrap();
    let shut = seen.shut.unwrap();
    assert_eq!(
        (shut.by, shut.reason.as_str()),
        (None, "3 käivitust järjest ebaõnnestus.")
    );
    assert_eq!(
        (seen.failures, seen.next.len(), seen.late_since),
        (3, 0, None)
    );
    assert_eq!(seen.last.unwrap().outcome, Outcome::Failed);
    assert!(matches!(
        crons::open(&mut tx, &dev, &cron, Open::Enable, at("11:00:00")).await,
        Err(Error::Refused {
            code: "cron_failed",
            ..
        })
    ));
    let koda = ground.actor(Role::Koda).await;
    assert!(matches!(
        crons::open(&mut tx, &koda, &cron, Open::Reopen, at("11:00:00")).await,
        Err(Error::Forbidden)
    ));
    now += TimeDelta::hours(2);
    crons::open(&mut tx, &dev, &cron, Open::Reopen, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    // What came due meanwhile is not made up for, and the failures before count no more.
    assert!(ground.fire(&cron, now).await.is_empty());
    let jobs = ground.fire(&cron, now + TimeDelta::minutes(15)).await;
    assert_eq!(jobs.len(), 1);
    ground.end(&jobs, "failed").await;
    assert!(ground.settle().await.is_empty());
    let acts: Vec<(String, Option<i64>)> =
        sqlx::query_as("select action, user_id from audit where object_class = 'Cron' order by id")
            .fetch_all(&ground.admin)
            .await
            .unwrap();
    assert_eq!(
        acts,
        [
            ("disable".to_owned(), None),
            ("reopen".to_owned(), Some(dev.user_id.0))
        ]
    );
}

#[tokio::test]
async fn people_run_shut_and_open_a_cron() {
    let ground = Ground::new().await;
    let cron = TABLE[0];
    let (dev, koda, kt) = (
        ground.actor(Role::Dev).await,
        ground.actor(Role::Koda).await,
        ground.actor(Role::Kt).await,
    );
    let now = at("10:00:00");
    ground.fire(&cron, now).await;
    let mut tx = db::begin(&ground.pool, Scope::Queue).await.unwrap();
    assert!(matches!(
        crons::execute(&mut tx, &kt, &cron, now).await,
        Err(Error::Forbidden)
    ));
    let job = crons::execute(&mut tx, &koda, &cron, now).await.unwrap();
    assert!(matches!(
        crons::execute(&mut tx, &dev, &cron, now).await,
        Err(Error::Refused {
            code: "cron_runs",
            ..
        })
    ));
    let runs = crons::runs(&mut tx, &cron).await.unwrap();
    assert_eq!(
        (runs[0].job, runs[0].outcome),
        (Some(job), Outcome::Waiting)
    );
    assert_eq!(runs[0].ordered_by.as_ref().unwrap().id, koda.user_id);
    assert!(matches!(
        crons::disable(&mut tx, &koda, &cron, "x").await,
        Err(Error::Forbidden)
    ));
    for reason in ["", "  ", "a\0", "a\u{202e}b", &"õ".repeat(501)] {
        assert!(matches!(
            crons::disable(&mut tx, &dev, &cron, reason).await,
            Err(Error::Invalid(_))
        ));
    }
    crons::disable(&mut tx, &dev, &cron, "Hooldus")
        .await
        .unwrap();
    assert!(matches!(
        crons::disable(&mut tx, &dev, &cron, "Jälle").await,
        Err(Error::Refused {
            code: "cron_disabled",
            ..
        })
    ));
    let seen = crons::look(&mut tx, &cron, now).await.unwrap();
    assert_eq!(
        seen.shut.as_ref().unwrap().by.as_ref().unwrap().id,
        dev.user_id
    );
    let reasons: Vec<_> = crons::rights(&dev, &seen)
        .iter()
        .map(|right| (right.name, right.reason.is_none()))
        .collect();
    assert_eq!(
        reasons,
        [
            ("execute", false),
            ("disable", false),
            ("enable", true),
            ("reopen", false)
        ]
    );
    tx.commit().await.unwrap();
    ground.end(&[job], "ok").await;
    assert!(
        ground
            .fire(&cron, now + TimeDelta::days(3))
            .await
            .is_empty(),
        "it is switched off"
    );
    let mut tx = db::begin(&ground.pool, Scope::Queue).await.unwrap();
    crons::execute(&mut tx, &dev, &cron, now + TimeDelta::days(3))
        .await
        .unwrap();
    assert!(matches!(
        crons::open(&mut tx, &dev, &cron, Open::Reopen, at("11:00:00")).await,
        Err(Error::Refused {
            code: "cron_disabled",
            ..
        })
    ));
    crons::open(&mut tx, &dev, &cron, Open::Enable, now + TimeDelta::days(4))
        .await
        .unwrap();
    assert!(matches!(
        crons::open(&mut tx, &dev, &cron, Open::Enable, at("11:00:00")).await,
        Err(Error::Refused {
            code: "cron_enabled",
            ..
        })
    ));
    tx.commit().await.unwrap();
    assert!(
        ground
            .fire(&cron, now + TimeDelta::days(4))
            .await
            .is_empty(),
        "nothing is made up for"
    );
}

#[tokio::test]
async fn what_should_have_fired_and_did_not_is_late() {
    let ground = Ground::new().await;
    let cron = TABLE[1];
    let look = async |now| {
        let mut tx = db::begin(&ground.pool, Scope::Queue).await.unwrap();
        crons::look(&mut tx, &cron, now).await.unwrap()
    };
    assert_eq!(
        look(at("10:00:00")).await.late_since,
        None,
        "no scheduler has looked at it yet"
    );
    ground.fire(&cron, at("10:00:00")).await;
    assert_eq!(look(at("10:05:59")).await.late_since, None);
    assert_eq!(look(at("10:06:00")).await.late_since, Some(at("10:05:00")));
    let next = look(at("10:00:00")).await.next;
    assert_eq!(
        next,
        [
            at("10:05:00"),
            at("10:20:00"),
            at("10:35:00"),
            at("10:50:00"),
            at("11:05:00")
        ]
    );
    ground.fire(&cron, at("10:05:30")).await;
    assert_eq!(look(at("10:06:00")).await.late_since, None);
}
