//! Alerts over figures of minutes: fire once, recover once, whoever evaluates; what each measure is measured on.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
use chrono::{DateTime, TimeDelta, Utc};
use domain::alerts::{self, Draft, Evaluated, Which};
use domain::ids::{AlertRuleId, RoleId, TenantId, UserId};
use domain::jobs::Queue;
use domain::page::Page;
use domain::testing::Database;
use domain::{Actor, Error, Role, Scope, Tx, db};
use sqlx::{AssertSqlSafe, PgPool};

struct Ground {
    _database: Database,
    admin: PgPool,
    pool: PgPool,
    dev: Actor,
}

fn at(text: &str) -> DateTime<Utc> {
    format!("2026-11-02T{text}Z").parse().unwrap()
}

fn evaluated(rules: usize, fired: usize, recovered: usize) -> Evaluated {
    Evaluated {
        rules,
        fired,
        recovered,
        failed: 0,
    }
}

fn oldest(threshold: i32, minutes: i32) -> Draft {
    Draft {
        measure: "oldestWaiting".into(),
        queue: Some(Queue::Register),
        threshold,
        minutes,
        enabled: true,
        ..Draft::default()
    }
}

impl Ground {
    async fn new() -> Self {
        let database = Database::new().await;
        let admin = database.admin();
        let (tenant,): (i64,) = sqlx::query_as("select id from bureaus where is_chamber")
            .fetch_one(&admin)
            .await
            .unwrap();
        let (user,): (i64,) =
            sqlx::query_as("insert into users (username, username_key, name) values ('op', 'op', 'Op') returning id")
                .fetch_one(&admin)
                .await
                .unwrap();
        sqlx::raw_sql(
            "insert into bureaus (code, name) values ('101', 'Esimene'), ('102', 'Teine')",
        )
        .execute(&admin)
        .await
        .unwrap();
        Self {
            pool: database.pool("jobs"),
            admin,
            dev: Actor {
                user_id: UserId(user),
                username: "op".into(),
                role_id: RoleId(1),
                role: Role::Dev,
                tenant_id: TenantId(tenant),
                tenant_code: "koda".into(),
                request_id: "r".into(),
            },
            _database: database,
        }
    }

    async fn tx(&self) -> Tx {
        db::begin(&self.pool, Scope::Queue).await.unwrap()
    }

    async fn run(&self, statement: &str) {
        sqlx::raw_sql(AssertSqlSafe(statement.to_owned()))
            .execute(&self.admin)
            .await
            .unwrap();
    }

    async fn rule(&self, draft: &Draft) -> AlertRuleId {
        let mut tx = self.tx().await;
        let id = alerts::create(&mut tx, &self.dev, draft).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    /// A minute that was looked at, with so many minutes of waiting in the queue of registers.
    async fn minute(&self, minute: &str, waited: i64) {
        let minute = at(minute);
        self.run(&format!(
            "insert into watch_minutes (minute, measure, subject, value) values ('{minute}', 'sampled', '', 1);
             insert into queue_depths (minute, queue, tenant_id, waiting, oldest_s, consumers)
             select '{minute}', 'register', id, 5, {waited} * 60, 20 from bureaus where code = '101' and {waited} > 0"
        ))
        .await;
    }

    /// By a connection of its own, as another process would.
    async fn evaluate(&self, now: &str) -> Evaluated {
        let mut tx = self.tx().await;
        let came = alerts::evaluate(&mut tx, at(now)).await.unwrap();
        tx.commit().await.unwrap();
        came
    }

    async fn all(&self) -> Vec<alerts::AlertView> {
        let page = Page::new(1, 100, 100).unwrap();
        alerts::list(&mut *self.tx().await, Which::All, page)
            .await
            .unwrap()
            .rows
    }
}

#[tokio::test]
async fn an_alert_fires_once_and_recovers_once() {
    let ground = Ground::new().await;
    ground.rule(&oldest(10, 2)).await;
    assert_eq!(
        ground.evaluate("09:00:05").await,
        evaluated(1, 0, 0),
        "nobody has looked yet"
    );
    let waited = [("10:00", 9), ("10:01", 11), ("10:02", 12), ("10:03", 13)];
    for (n, (minute, waited)) in waited.into_iter().enumerate() {
        ground.minute(&format!("{minute}:00"), waited).await;
        // A minute is judged when it is over; twice, as after a worker's death.
        let after = format!("10:0{}:01", n + 1);
        assert_eq!(
            ground.evaluate(&after).await.fired,
            usize::from(n == 3),
            "{minute}"
        );
        assert_eq!(ground.evaluate(&after).await, evaluated(1, 0, 0));
    }
    ground.minute("10:04:00", 30).await;
    assert_eq!(ground.evaluate("10:05:01").await, evaluated(1, 0, 0));
    ground.minute("10:05:00", 3).await;
    assert_eq!(
        ground.evaluate("10:06:01").await,
        evaluated(1, 0, 0),
        "one good minute is not calm yet"
    );
    ground.minute("10:06:00", 0).await;
    assert_eq!(ground.evaluate("10:07:01").await, evaluated(1, 0, 1));
    assert_eq!(ground.evaluate("10:07:02").await, evaluated(1, 0, 0));
    let all = ground.all().await;
    let [alert] = all.as_slice() else {
        panic!("{all:?}")
    };
    assert_eq!(
        (alert.peak, alert.recovered_at, alert.silenced),
        (30, Some(at("10:07:01")), false)
    );

    // Long after, with older figures alone, nothing is decided.
    ground.minute("11:00:00", 50).await;
    ground.minute("11:01:00", 50).await;
    ground.minute("11:02:00", 50).await;
    assert_eq!(ground.evaluate("11:30:00").await, evaluated(1, 0, 0));
    assert_eq!(ground.evaluate("11:03:01").await, evaluated(1, 1, 0));
}

#[tokio::test]
async fn a_silenced_rule_tells_nobody_until_its_silence_ends() {
    let ground = Ground::new().await;
    let rule = ground.rule(&oldest(10, 0)).await;
    let mut tx = ground.tx().await;
    assert!(matches!(
        alerts::silence(
            &mut tx,
            &ground.dev,
            rule,
            Some(at("09:00:00")),
            at("10:00:00")
        )
        .await,
        Err(Error::Invalid(_))
    ));
    alerts::silence(
        &mut tx,
        &ground.dev,
        rule,
        Some(at("10:05:00")),
        at("10:00:00"),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    ground.minute("10:00:00", 20).await;
    assert_eq!(ground.evaluate("10:01:01").await, evaluated(1, 1, 0));
    assert!(ground.all().await[0].silenced);
    ground.minute("10:05:00", 20).await;
    assert_eq!(ground.evaluate("10:06:01").await, evaluated(1, 0, 0));
    assert!(
        !ground.all().await[0].silenced,
        "told when the silence was over, and once"
    );
}

#[tokio::test]
async fn the_end_of_an_alert_waits_for_the_end_of_a_silence() {
    let ground = Ground::new().await;
    ground
        .run(
            "insert into user_roles (user_id, tenant_id, role)
             select u.id, b.id, 'dev' from users u, bureaus b where b.is_chamber",
        )
        .await;
    let rule = ground.rule(&oldest(10, 0)).await;
    let told = async || -> Vec<(String, Option<String>)> {
        sqlx::query_as("select kind, facts ->> 'at' from notices order by id")
            .fetch_all(&ground.admin)
            .await
            .unwrap()
    };
    ground.minute("10:00:00", 20).await;
    ground.evaluate("10:01:01").await;
    let mut tx = ground.tx().await;
    let until = Some(at("10:10:00"));
    alerts::silence(&mut tx, &ground.dev, rule, until, at("10:01:30"))
        .await
        .unwrap();
    tx.commit().await.unwrap();
    for minute in ["10:01:00", "10:02:00"] {
        ground.minute(minute, 0).await;
    }
    assert_eq!(ground.evaluate("10:03:01").await, evaluated(1, 0, 1));
    assert_eq!(told().await.len(), 1, "it is quiet");
    // Nobody has looked since: what is over is told all the same, with its time, and once.
    for now in ["10:09:59", "10:10:00", "10:11:00"] {
        ground.evaluate(now).await;
    }
    let told = told().await;
    let [(fired, _), (over, when)] = told.as_slice() else {
        panic!("{told:?}")
    };
    assert_eq!(
        (fired.as_str(), over.as_str()),
        ("alert_fired", "alert_recovered")
    );
    assert_eq!(when.as_deref(), Some("2026-11-02T10:03:01Z"));
}

#[tokio::test]
async fn a_rule_that_cannot_be_evaluated_keeps_no_other_from_firing() {
    let ground = Ground::new().await;
    let broken = ground.rule(&oldest(10, 0)).await;
    ground.rule(&oldest(12, 0)).await;
    ground
        .run(&format!(
            "create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
             create trigger refuse before insert on alerts for each row when (new.rule_id = {broken}) execute function refuse()"
        ))
        .await;
    ground.minute("10:00:00", 20).await;
    let came = Evaluated {
        failed: 1,
        ..evaluated(2, 1, 0)
    };
    assert_eq!(ground.evaluate("10:01:01").await, came);
    assert_eq!(ground.all().await.len(), 1);
}

#[tokio::test]
async fn a_backlog_is_not_calm_where_nobody_had_looked() {
    let ground = Ground::new().await;
    ground
        .run(
            "insert into watch_minutes (minute, measure, subject, value)
             select at, 'sampled', '', 1 from generate_series('2026-11-02T10:00Z'::timestamptz, '2026-11-02T10:39Z', '1 min') at
             where extract(minute from at) not in (8, 9, 10);
             insert into queue_depths (minute, queue, tenant_id, waiting, oldest_s, consumers)
             select s.minute, 'register', b.id, 10 * extract(minute from s.minute), 0, 20
             from watch_minutes s, bureaus b where b.code = '101'",
        )
        .await;
    let growing = Draft {
        measure: "backlogGrowing".into(),
        ..oldest(100, 0)
    };
    let mut tx = ground.tx().await;
    let preview = alerts::preview(&mut tx, &growing, at("10:40:10"))
        .await
        .unwrap();
    assert_eq!(preview.episodes.len(), 1, "{:?}", preview.episodes);
    assert_eq!(preview.value, Some(150));
}

#[tokio::test]
async fn a_rule_is_kept_by_those_who_oversee() {
    let ground = Ground::new().await;
    let bailiff = Actor {
        role: Role::Kt,
        ..ground.dev.clone()
    };
    let mut tx = ground.tx().await;
    assert!(matches!(
        alerts::create(&mut tx, &bailiff, &oldest(10, 0)).await,
        Err(Error::Forbidden)
    ));
    let path = async |draft: Draft| {
        let mut tx = ground.tx().await;
        match alerts::create(&mut tx, &ground.dev, &draft).await {
            Err(Error::Invalid(wrong)) => wrong[0].path.clone(),
            other => format!("{other:?}"),
        }
    };
    for (draft, field) in [
        (
            Draft {
                measure: "weather".into(),
                ..oldest(1, 1)
            },
            "measure",
        ),
        (
            Draft {
                queue: None,
                ..oldest(1, 1)
            },
            "queue",
        ),
        (
            Draft {
                measure: "breakerOpen".into(),
                ..oldest(0, 1)
            },
            "register",
        ),
        (
            Draft {
                register: Some("tarn".into()),
                ..oldest(1, 1)
            },
            "register",
        ),
        (
            Draft {
                cron: Some(99),
                ..oldest(1, 1)
            },
            "cron",
        ),
        (
            Draft {
                bureau: Some(TenantId(999)),
                ..oldest(1, 1)
            },
            "bureau",
        ),
        (oldest(0, 1), "threshold"),
        (oldest(20_000, 1), "threshold"),
        (oldest(1, -1), "minutes"),
        (oldest(1, 1_441), "minutes"),
        (
            Draft {
                measure: "failedShare".into(),
                ..oldest(100, 1)
            },
            "threshold",
        ),
        (
            Draft {
                measure: "breakerOpen".into(),
                queue: None,
                register: Some("nothing".into()),
                ..oldest(0, 1)
            },
            "register",
        ),
    ] {
        assert_eq!(path(draft).await, field);
    }

    let rule = alerts::create(&mut tx, &ground.dev, &oldest(10, 0))
        .await
        .unwrap();
    assert!(matches!(
        alerts::create(&mut tx, &ground.dev, &oldest(10, 0)).await,
        Err(Error::Refused {
            code: "same_rule",
            ..
        })
    ));
    tx.commit().await.unwrap();
    ground.minute("10:00:00", 20).await;
    assert_eq!(ground.evaluate("10:01:01").await, evaluated(1, 1, 0));
    let mut tx = ground.tx().await;
    assert!(matches!(
        alerts::change(&mut tx, &ground.dev, rule, &oldest(30, 0), 7).await,
        Err(Error::Stale { version: 1, .. })
    ));
    alerts::change(&mut tx, &ground.dev, rule, &oldest(10, 0), 1)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert!(
        ground.all().await[0].recovered_at.is_none(),
        "what it watches is the same"
    );
    let mut tx = ground.tx().await;
    alerts::change(&mut tx, &ground.dev, rule, &oldest(30, 0), 2)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let was = &ground.all().await[0];
    assert!(was.recovered_at.is_some(), "it is another rule now");
    assert_eq!(was.watch.threshold, 10, "history does not change with it");
    assert_eq!(ground.evaluate("10:01:02").await, evaluated(1, 0, 0));
    let mut tx = ground.tx().await;
    alerts::delete(&mut tx, &ground.dev, rule).await.unwrap();
    assert!(matches!(
        alerts::delete(&mut tx, &ground.dev, rule).await,
        Err(Error::NotFound)
    ));
    assert!(
        alerts::rules(&mut tx, None, at("10:02:00"))
            .await
            .unwrap()
            .is_empty()
    );
    tx.commit().await.unwrap();
    assert_eq!(ground.evaluate("10:02:01").await, evaluated(0, 0, 0));
    assert_eq!(ground.all().await.len(), 1, "what was is kept");
}

#[tokio::test]
async fn each_measure_reads_the_figures_of_the_pages() {
    let ground = Ground::new().await;
    ground
        .run(
            "insert into watch_minutes (minute, measure, subject, value)
             select at, 'sampled', '', 1 from generate_series('2026-11-02T10:00Z'::timestamptz, '2026-11-02T10:39Z', '1 min') at;
             insert into watch_minutes (minute, measure, subject, value) values
               ('2026-11-02T10:38Z', 'breakerOpen', 'tarn', 1), ('2026-11-02T10:39Z', 'breakerOpen', 'tarn', 1),
               ('2026-11-02T10:39Z', 'cronLate', 'expire-sessions', 7), ('2026-11-02T10:39Z', 'cronLate', 'archive-tasks', 90);
             insert into queue_depths (minute, queue, tenant_id, waiting, oldest_s, consumers)
             select d.minute::timestamptz, d.queue::job_queue, b.id, d.waiting, d.oldest, d.consumers
             from (values ('2026-11-02T10:24Z', 'register', '101', 10, 60, 20), ('2026-11-02T10:39Z', 'register', '101', 110, 900, 20),
                          ('2026-11-02T10:39Z', 'register', '102', 50, 1800, 20), ('2026-11-02T10:39Z', 'mail', '101', 3, null, 0))
                  d (minute, queue, bureau, waiting, oldest, consumers) join bureaus b on b.code = d.bureau;
             insert into queue_minutes (minute, queue, kind, tenant_id, ok, warning, failed, cancelled)
             select d.minute::timestamptz, 'register', d.kind, b.id, d.ok, d.warning, d.failed, 7
             from (values ('2026-11-02T10:25Z', 'a', '101', 10, 0, 5), ('2026-11-02T10:39Z', 'b', '101', 5, 5, 25),
                          ('2026-11-02T10:24Z', 'a', '101', 0, 0, 900), ('2026-11-02T10:39Z', 'a', '102', 2, 0, 3))
                  d (minute, kind, bureau, ok, warning, failed) join bureaus b on b.code = d.bureau",
        )
        .await;
    let bureau = async |code: &str| {
        let id: i64 = sqlx::query_scalar("select id from bureaus where code = $1")
            .bind(code)
            .fetch_one(&ground.admin)
            .await
            .unwrap();
        Some(TenantId(id))
    };
    let (b101, b102) = (bureau("101").await, bureau("102").await);
    let of = |measure: &str, queue: Queue, bureau: Option<TenantId>| Draft {
        measure: measure.into(),
        queue: Some(queue),
        bureau,
        threshold: if measure == "noConsumers" { 0 } else { 1 },
        enabled: true,
        ..Draft::default()
    };
    let late = |cron| Draft {
        measure: "cronLate".into(),
        cron,
        threshold: 1,
        ..Draft::default()
    };
    let breaker = Draft {
        measure: "breakerOpen".into(),
        register: Some("tarn".into()),
        ..Draft::default()
    };
    let register = Queue::Register;
    for (draft, value) in [
        (of("oldestWaiting", register, None), 30),
        (of("oldestWaiting", register, b101), 15),
        (of("oldestWaiting", Queue::Mail, b101), 0),
        (of("oldestWaiting", Queue::Bulk, None), 0),
        (of("noConsumers", register, None), 0),
        (of("noConsumers", Queue::Mail, None), 1),
        (of("noConsumers", Queue::Mail, b102), 0),
        (of("backlogGrowing", register, None), 150),
        (of("backlogGrowing", register, b101), 100),
        // 33 of 55 within fifteen minutes, without what was cancelled.
        (of("failedShare", register, None), 60),
        (of("failedShare", register, b101), 60),
        (of("failedShare", register, b102), 0),
        (breaker, 1),
        (late(None), 90),
        (late(Some(2)), 7),
        (late(Some(1)), 0),
    ] {
        let mut tx = ground.tx().await;
        let preview = alerts::preview(&mut tx, &draft, at("10:40:10"))
            .await
            .unwrap();
        assert_eq!(preview.value, Some(value), "{draft:?}");
        assert_eq!(
            preview.episodes.last().is_some_and(|one| one.to.is_none()),
            value > i64::from(draft.threshold),
            "{draft:?}"
        );
        let first = if draft.measure == "backlogGrowing" {
            at("10:15:00")
        } else {
            at("10:00:00")
        };
        assert_eq!((preview.from, preview.hours.len()), (first, 1));
    }
}

#[tokio::test]
async fn a_preview_tells_last_week() {
    let ground = Ground::new().await;
    ground
        .run(
            "insert into watch_minutes (minute, measure, subject, value)
             select at, 'sampled', '', 1 from generate_series('2026-10-25T00:00Z'::timestamptz, '2026-11-02T09:59Z', '1 min') at;
             insert into queue_depths (minute, queue, tenant_id, waiting, oldest_s, consumers)
             select at, 'register', b.id, 1, 900, 1
             from generate_series('2026-10-25T00:00Z'::timestamptz, '2026-11-02T09:59Z', '1 min') at, bureaus b
             where b.code = '101' and extract(hour from at at time zone 'UTC') = 5 and extract(minute from at) < 20",
        )
        .await;
    let mut tx = ground.tx().await;
    let now = at("10:00:30");
    let week = alerts::preview(&mut tx, &oldest(10, 5), now).await.unwrap();
    assert_eq!(
        (week.from, week.to),
        (at("10:00:00") - TimeDelta::days(7), at("10:00:00"))
    );
    assert_eq!(week.episodes.len(), 7, "each morning at five");
    assert!(
        week.episodes
            .iter()
            .all(|one| one.peak == 15 && one.fired_at - one.since == TimeDelta::minutes(5))
    );
    assert_eq!(week.hours.len(), 7 * 24);
    assert_eq!(
        alerts::preview(&mut tx, &oldest(15, 0), now)
            .await
            .unwrap()
            .episodes
            .len(),
        0
    );
    assert_eq!(
        alerts::preview(&mut tx, &oldest(10, 20), now)
            .await
            .unwrap()
            .episodes
            .len(),
        0
    );
}

#[tokio::test]
async fn the_leader_notes_what_waits_and_what_is_wrong() {
    let ground = Ground::new().await;
    ground
        .run(
            "insert into jobs (tenant_id, queue, kind, run_at)
             select b.id, 'register', 'SyncToRegister', clock_timestamp() + m * interval '1 min'
             from bureaus b, unnest(array[-5, 30]) m where b.code = '101';
             insert into jobs (tenant_id, queue, kind, run_at, state)
             select b.id, 'register', 'SyncToRegister', clock_timestamp() + m * interval '1 min', s::job_state
             from bureaus b, (values (-10, 'dispatched'), (-30, 'running')) j (m, s) where b.code = '101';
             insert into jobs (tenant_id, queue, kind, run_at)
             select b.id, 'mail', 'Probe', clock_timestamp() + interval '5 min' from bureaus b where b.code = '102';
             insert into workers (name, host, pid, concurrency, seen_at, stopped_at) values
               ('a', 'h', 1, '{\"register\": 20}', clock_timestamp(), null),
               ('b', 'h', 2, '{\"register\": 7}', clock_timestamp(), null),
               ('c', 'h', 3, '{\"mail\": 4}', clock_timestamp() - interval '5 min', null),
               ('d', 'h', 4, '{\"mail\": 4}', clock_timestamp(), clock_timestamp());
             update registers set state = 'open', opened_at = clock_timestamp() where name = 'tarn';
             insert into crons (name, decided_at) values ('expire-sessions', clock_timestamp() - interval '1 hour'),
               ('reconcile-case-list', clock_timestamp());
             insert into crons (name, decided_at, shut_at, shut_by, shut_reason)
             select 'archive-tasks', clock_timestamp() - interval '3 days', clock_timestamp(), min(id), 'x' from users;
             insert into crons (name, decided_at, shut_at, shut_reason)
             values ('evaluate-alerts', clock_timestamp() - interval '10 min', clock_timestamp(), 'x')",
        )
        .await;
    let mut tx = ground.tx().await;
    domain::queues::count_depths(&mut tx).await.unwrap();
    alerts::note(&mut tx, domain::clock::now()).await.unwrap();
    alerts::note(&mut tx, domain::clock::now()).await.unwrap();
    tx.commit().await.unwrap();
    let depths: Vec<(String, i32, Option<i32>, i32)> = sqlx::query_as(
        "select queue::text, waiting, oldest_s / 60, consumers from queue_depths order by queue::text desc",
    )
    .fetch_all(&ground.admin)
    .await
    .unwrap();
    assert_eq!(
        depths,
        [
            ("register".into(), 3, Some(10), 27),
            ("mail".into(), 1, None, 0)
        ]
    );
    let notes: Vec<(String, String)> =
        sqlx::query_as("select distinct measure, subject from watch_minutes order by 1, 2")
            .fetch_all(&ground.admin)
            .await
            .unwrap();
    let notes: Vec<_> = notes
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    assert_eq!(
        notes,
        [
            ("breakerOpen", "tarn"),
            ("cronLate", "evaluate-alerts"),
            ("cronLate", "expire-sessions"),
            ("sampled", "")
        ],
        "what a person has switched off rests"
    );
}

#[tokio::test]
async fn whoever_oversees_is_told_once_of_each_and_the_bureau_s_bailiffs_of_theirs() {
    let ground = Ground::new().await;
    ground
        .run(
            "insert into users (username, username_key, name) select n, n, n from unnest(array['koda', 'kt101', 'kt102', 'left', 'ended']) n;
             insert into user_roles (user_id, tenant_id, role, ended_at)
             select u.id, b.id, r.role::role_code, case when u.name = 'ended' then now() end
             from (values ('op', 'koda', 'dev'), ('koda', 'koda', 'koda'), ('kt101', '101', 'KT'), ('kt102', '102', 'KT'),
                          ('left', 'koda', 'dev'), ('ended', 'koda', 'koda')) r (name, bureau, role)
             join users u on lower(u.name) = r.name join bureaus b on b.code = r.bureau;
             update users set disabled_at = now() where name = 'left'",
        )
        .await;
    let b101: i64 = sqlx::query_scalar("select id from bureaus where code = '101'")
        .fetch_one(&ground.admin)
        .await
        .unwrap();
    ground.rule(&oldest(10, 0)).await;
    ground
        .rule(&Draft {
            bureau: Some(TenantId(b101)),
            ..oldest(12, 0)
        })
        .await;
    for (minute, waited) in [("10:00", 30), ("10:01", 0), ("10:02", 0)] {
        ground.minute(&format!("{minute}:00"), waited).await;
        let after = format!("10:0{}:01", minute[4..].parse::<i32>().unwrap() + 1);
        ground.evaluate(&after).await;
        ground.evaluate(&after).await;
    }
    let told: Vec<(String, String, i64)> = sqlx::query_as(
        "select u.name, n.kind, count(*) from notices n join users u on u.id = n.user_id group by 1, 2 order by 1, 2",
    )
    .fetch_all(&ground.admin)
    .await
    .unwrap();
    let told: Vec<_> = told
        .iter()
        .map(|(name, kind, count)| (name.as_str(), kind.as_str(), *count))
        .collect();
    assert_eq!(
        told,
        [
            ("Op", "alert_fired", 2),
            ("Op", "alert_recovered", 2),
            ("koda", "alert_fired", 2),
            ("koda", "alert_recovered", 2),
            ("kt101", "alert_fired", 1),
            ("kt101", "alert_recovered", 1),
        ]
    );
    let facts: serde_json::Value = sqlx::query_scalar(
        "select facts from notices where kind = 'alert_fired' order by id desc limit 1",
    )
    .fetch_one(&ground.admin)
    .await
    .unwrap();
    assert_eq!(
        (&facts["bureau"], &facts["value"], &facts["threshold"]),
        (&"101".into(), &30.into(), &12.into())
    );
    assert!(
        facts["path"]
            .as_str()
            .unwrap()
            .ends_with("&bureau=%22101%22"),
        "{facts}"
    );
}

#[tokio::test]
async fn a_webhook_to_nowhere_allowed_is_refused_with_the_rule() {
    let ground = Ground::new().await;
    let mut tx = ground.tx().await;
    for url in [
        "https://hooks.example.ee/x",
        "http://127.0.0.1/x",
        "nonsense",
    ] {
        let draft = Draft {
            webhook_url: Some(url.into()),
            ..oldest(10, 0)
        };
        let refused = alerts::create(&mut tx, &ground.dev, &draft).await;
        assert!(
            matches!(&refused, Err(Error::Invalid(wrong)) if wrong[0].path == "webhookUrl"),
            "{refused:?}"
        );
    }
}
