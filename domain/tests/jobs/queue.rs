//! Fairness, fencing, sweeping.
use std::collections::HashMap;
use std::time::Duration;

use domain::ids::{BulkActionId, JobId, TenantId, WorkerId};
use domain::jobs::dispatch::{self, Steering};
use domain::jobs::run::{self, Back, Ending, Outcome};
use domain::jobs::{Kind, NewJob, Queue, enqueue, sweep};
use domain::leases::{self, Name};
use domain::{Error, Scope, db};

use crate::Ground;

fn pairs(bundles: &[dispatch::Bundle]) -> Vec<(JobId, i32)> {
    bundles
        .iter()
        .flat_map(|bundle| bundle.pairs.clone())
        .collect()
}

fn by_tenant(bundles: &[dispatch::Bundle]) -> HashMap<i64, usize> {
    let mut counts = HashMap::new();
    for bundle in bundles {
        *counts.entry(bundle.tenant_id.0).or_default() += bundle.pairs.len();
    }
    counts
}

#[tokio::test]
async fn bureaus_take_turns_whatever_their_backlog() {
    let ground = Ground::new().await;
    ground.tasks(1, 11, 5_000).await;
    ground.tasks(1, 12, 5_000).await;
    ground.tasks(2, 21, 10).await;
    ground.tasks(3, 31, 700).await;
    let first = ground.pick(1_000).await;
    assert_eq!(
        by_tenant(&first),
        HashMap::from([(1, 495), (2, 10), (3, 495)])
    );
    let of_action = |action| -> usize {
        first
            .iter()
            .filter(|b| b.bulk_action_id == Some(BulkActionId(action)))
            .map(|b| b.pairs.len())
            .sum()
    };
    assert!(
        of_action(11).abs_diff(of_action(12)) <= 1,
        "{} and {}",
        of_action(11),
        of_action(12)
    );
    let second = ground.pick(1_000).await;
    assert_eq!(by_tenant(&second), HashMap::from([(1, 795), (3, 205)]));
    assert!(
        first
            .iter()
            .chain(&second)
            .all(|bundle| bundle.pairs.len() <= domain::jobs::CHUNK)
    );
}

#[tokio::test]
async fn jobs_that_somebody_holds_are_passed_over_without_a_wait() {
    let ground = Ground::new().await;
    ground.tasks(1, 11, 5).await;
    ground.tasks(2, 12, 5).await;
    let mut holder = ground.admin.begin().await.expect("begin");
    sqlx::query("select id from jobs where id in (2, 7) for update")
        .execute(&mut *holder)
        .await
        .expect("held");
    let mut picked = pairs(&ground.pick(100).await);
    picked.sort_unstable();
    let others = [1, 3, 4, 5, 6, 8, 9, 10].map(|id| (JobId(id), 1));
    assert_eq!(picked, others);
    holder.rollback().await.expect("let go");
    let mut picked = pairs(&ground.pick(100).await);
    picked.sort_unstable();
    assert_eq!(picked, [2, 7].map(|id| (JobId(id), 1)));
}

#[tokio::test]
async fn a_persons_retry_goes_first_within_its_bureau_and_future_jobs_wait() {
    let ground = Ground::new().await;
    ground.tasks(1, 11, 50).await;
    sqlx::query("update jobs set priority = 1 where id = 50")
        .execute(&ground.admin)
        .await
        .expect("priority");
    sqlx::query("update jobs set run_at = now() + interval '1 h' where id <= 10")
        .execute(&ground.admin)
        .await
        .expect("later");
    let picked = pairs(&ground.pick(1).await);
    assert_eq!(picked, [(JobId(50), 1)]);
    assert_eq!(pairs(&ground.pick(100).await).len(), 39);
}

#[tokio::test]
async fn pauses_and_pace_hold_jobs_back() {
    let ground = Ground::new().await;
    ground.tasks(1, 11, 50).await;
    ground.tasks(2, 21, 50).await;
    let paused = Steering {
        paused_tenants: vec![1],
        ..Steering::default()
    };
    assert_eq!(
        by_tenant(&ground.pick_with(10, &paused, &[]).await),
        HashMap::from([(2, 10)])
    );
    let kind = Steering {
        paused_kinds: vec![Kind::ComputeIssuerFee.as_str().into()],
        ..Steering::default()
    };
    assert!(ground.pick_with(10, &kind, &[]).await.is_empty());
    let queue = Steering {
        paused_queues: vec![Queue::Bulk],
        ..Steering::default()
    };
    assert!(ground.pick_with(10, &queue, &[]).await.is_empty());
    let slow = ground
        .pick_with(
            100,
            &Steering::default(),
            &[(BulkActionId(11), 3), (BulkActionId(21), 0)],
        )
        .await;
    assert_eq!(by_tenant(&slow), HashMap::from([(1, 3)]));
}

#[tokio::test]
async fn a_pause_set_after_dispatch_is_met_by_the_claim() {
    let ground = Ground::new().await;
    ground.tasks(1, 11, 3).await;
    let picked = pairs(&ground.pick(10).await);
    sqlx::query("insert into pauses (tenant_id, reason) values (1, 'proov')")
        .execute(&ground.admin)
        .await
        .expect("a pause");
    assert!(ground.claim(&picked).await.is_empty());
    assert_eq!(ground.states().await, HashMap::from([("queued".into(), 3)]));
    let runs: i64 = sqlx::query_scalar("select sum(runs) from jobs")
        .fetch_one(&ground.admin)
        .await
        .expect("runs");
    assert_eq!(runs, 0);
}

#[tokio::test]
async fn a_pair_is_claimed_once_and_an_old_number_never() {
    let ground = Ground::new().await;
    ground.tasks(1, 11, 2).await;
    let old = pairs(&ground.pick(10).await);
    dispatch::recall(&mut ground.queue.acquire().await.expect("a connection"))
        .await
        .expect("a recall");
    let new = pairs(&ground.pick(10).await);
    assert!(
        ground.claim(&old).await.is_empty(),
        "fenced by the dispatch number"
    );
    assert_eq!(ground.claim(&new).await.len(), 2);
    assert!(ground.claim(&new).await.is_empty(), "delivered twice");
}

#[tokio::test]
async fn only_the_run_that_is_ours_is_finished_and_each_run_has_one_attempt_row() {
    let ground = Ground::new().await;
    ground.tasks(7, 11, 3).await;
    let claimed = ground.claim(&pairs(&ground.pick(10).await)).await;
    ground.expire().await;
    assert_eq!(
        ground.sweep().await,
        sweep::Swept {
            undispatched: 0,
            crashed: 3
        }
    );
    let again = ground.claim(&pairs(&ground.pick(10).await)).await;
    assert_eq!(
        (
            again.len(),
            again.iter().all(|job| job.suspect && job.run == 2)
        ),
        (3, true)
    );

    let late: Vec<_> = claimed
        .iter()
        .map(|job| Outcome::new(job, Ending::Ok, "hilja"))
        .collect();
    let mut tx = db::begin(&ground.pool, Scope::Bureau(TenantId(7)))
        .await
        .expect("begin");
    assert!(
        run::finish(&mut tx, &late)
            .await
            .expect("a finish")
            .is_empty(),
        "the first worker is fenced off"
    );
    let ours: Vec<_> = again
        .iter()
        .map(|job| Outcome::new(job, Ending::Warning, "õigel ajal"))
        .collect();
    assert_eq!(
        run::finish(&mut tx, &ours).await.expect("a finish").len(),
        3
    );
    tx.commit().await.expect("commit");
    let attempts: Vec<(i64, i32, String)> =
        sqlx::query_as("select job_id, run, outcome from attempts order by 1, 2")
            .fetch_all(&ground.admin)
            .await
            .expect("attempts");
    let expected: Vec<_> = (1..=3)
        .flat_map(|id| [(id, 1, "crashed".to_owned()), (id, 2, "warning".to_owned())])
        .collect();
    assert_eq!(attempts, expected);
}

#[tokio::test]
async fn another_bureaus_run_is_out_of_reach() {
    let ground = Ground::new().await;
    ground.tasks(7, 11, 1).await;
    let claimed = ground.claim(&pairs(&ground.pick(10).await)).await;
    let outcomes: Vec<_> = claimed
        .iter()
        .map(|job| Outcome::new(job, Ending::Ok, ""))
        .collect();
    let mut tx = db::begin(&ground.pool, Scope::Bureau(TenantId(8)))
        .await
        .expect("begin");
    assert!(
        run::finish(&mut tx, &outcomes)
            .await
            .expect("a finish")
            .is_empty()
    );
}

#[tokio::test]
async fn a_job_that_takes_its_worker_down_three_times_alone_fails() {
    let ground = Ground::new().await;
    ground.tasks(1, 11, 1).await;
    for crash in 0..4 {
        let picked = ground.pick(10).await;
        assert_eq!(
            picked
                .iter()
                .map(|b| (b.suspect, b.pairs.len()))
                .collect::<Vec<_>>(),
            [(crash > 0, 1)]
        );
        assert_eq!(ground.claim(&pairs(&picked)).await.len(), 1);
        ground.expire().await;
        ground.sweep().await;
    }
    let row: (String, i16, String) =
        sqlx::query_as("select state::text, crashes, output from jobs")
            .fetch_one(&ground.admin)
            .await
            .expect("the row");
    assert_eq!(row, ("failed".into(), 3, "Töötleja katkes 3 korda.".into()));
}

#[tokio::test]
async fn a_retry_counts_and_a_release_does_not() {
    let ground = Ground::new().await;
    ground.tasks(1, 11, 1).await;
    let backs = [
        (
            Back::Retry {
                code: "register_down".into(),
                error: "ei vasta".into(),
            },
            1,
        ),
        (
            Back::Released {
                reason: "drain".into(),
            },
            1,
        ),
        (
            Back::Retry {
                code: "register_down".into(),
                error: "ei vasta".into(),
            },
            2,
        ),
    ];
    for (back, failures) in backs {
        let claimed = ground.claim(&pairs(&ground.pick(1).await)).await;
        let pair: Vec<_> = claimed
            .iter()
            .map(|job| (job.id, job.dispatch_no))
            .collect();
        let mut conn = ground.queue.acquire().await.expect("a connection");
        assert_eq!(
            run::put_back(&mut conn, &pair, &back, Duration::ZERO)
                .await
                .expect("back"),
            1
        );
        let now: i16 = sqlx::query_scalar("select failures from jobs")
            .fetch_one(&ground.admin)
            .await
            .expect("failures");
        assert_eq!(now, failures);
    }
}

#[tokio::test]
async fn renewing_keeps_a_lease_and_only_ones_own() {
    let ground = Ground::new().await;
    ground.tasks(1, 11, 2).await;
    let claimed = ground.claim(&pairs(&ground.pick(10).await)).await;
    ground.expire().await;
    let ids: Vec<i64> = claimed.iter().map(|job| job.id.0).collect();
    let mut conn = ground.queue.acquire().await.expect("a connection");
    assert_eq!(
        run::renew(&mut conn, WorkerId(2), &ids)
            .await
            .expect("renewed"),
        0
    );
    assert_eq!(
        run::renew(&mut conn, WorkerId(1), &ids)
            .await
            .expect("renewed"),
        2
    );
    assert_eq!(ground.sweep().await, sweep::Swept::default());
}

#[tokio::test]
async fn one_process_leads_and_an_old_term_writes_nothing() {
    let ground = Ground::new().await;
    let mut conn = ground.queue.acquire().await.expect("a connection");
    let first = leases::take(&mut conn, Name::Dispatcher, "a")
        .await
        .expect("asked")
        .expect("free");
    assert_eq!(
        leases::take(&mut conn, Name::Dispatcher, "b")
            .await
            .expect("asked"),
        None
    );
    assert!(leases::keep(&mut conn, &first).await.expect("kept"));
    leases::resign(&mut conn, &first).await.expect("resigned");
    let second = leases::take(&mut conn, Name::Dispatcher, "b")
        .await
        .expect("asked")
        .expect("free again");
    assert_eq!(second.number, first.number + 1);
    assert!(!leases::keep(&mut conn, &first).await.expect("asked"));
    assert!(matches!(
        leases::guard(&mut conn, &first).await,
        Err(Error::Refused {
            code: "not_leader",
            ..
        })
    ));
    assert!(leases::guard(&mut conn, &second).await.is_ok());
}

#[tokio::test]
async fn a_unique_key_allows_one_live_job() {
    let ground = Ground::new().await;
    let mut tx = db::begin(&ground.pool, Scope::Bureau(TenantId(1)))
        .await
        .expect("begin");
    let job = NewJob {
        unique_key: Some("import:1"),
        ..NewJob::new(Kind::ImportCases, TenantId(1))
    };
    enqueue(&mut tx, &job).await.expect("the first");
    assert!(matches!(
        enqueue(&mut tx, &job).await,
        Err(Error::Refused {
            code: "already_queued",
            ..
        })
    ));
    sqlx::query("update jobs set state = 'ok'")
        .execute(&mut *tx)
        .await
        .expect("ended");
    enqueue(&mut tx, &job).await.expect("again after its end");
}

/// After 90 days tasks of bulk actions are archived and other jobs deleted; attempts stay only of what did not go well.
#[tokio::test]
async fn history_retires_step_by_step() {
    let ground = Ground::new().await;
    // 2,500 old tasks (every tenth failed), 3 old jobs of no action, one task of today.
    sqlx::raw_sql(
        "insert into jobs (tenant_id, bulk_action_id, queue, kind, state, created_at)
         values (1, 3, 'bulk', 'ComputeIssuerFee', 'failed', clock_timestamp() - interval '8 years');
         insert into attempts (job_id, run, tenant_id, started_at, finished_at, outcome)
         select id, 1, 1, created_at, created_at, 'failed' from jobs where bulk_action_id = 3;
         with old as (delete from jobs where bulk_action_id = 3 returning *) insert into job_archive select * from old;
         insert into jobs (tenant_id, bulk_action_id, queue, kind, state, created_at, finished_at)
         select 1, case when n <= 2500 then 7 end, 'bulk', 'ComputeIssuerFee',
                (case when n % 10 = 0 then 'failed' else 'ok' end)::job_state,
                clock_timestamp() - interval '91 days', clock_timestamp() - interval '91 days'
         from generate_series(1, 2503) n;
         insert into jobs (tenant_id, bulk_action_id, queue, kind, state, finished_at)
         values (1, 7, 'bulk', 'ComputeIssuerFee', 'ok', clock_timestamp());
         insert into attempts (job_id, run, tenant_id, started_at, finished_at, outcome)
         select id, run, 1, finished_at, finished_at, case when run = 1 then 'retry' else state::text end
         from jobs, generate_series(1, 2) run;
         insert into queue_minutes (minute, queue, kind, tenant_id, ok)
         select date_trunc('minute', now()) - d * interval '1 day', 'bulk', 'ComputeIssuerFee', 1, 1 from unnest(array[1, 89, 91, 400]) d;
         insert into queue_depths (minute, queue, tenant_id, waiting)
         select minute, queue, tenant_id, 1 from queue_minutes",
    )
    .execute(&ground.admin)
    .await
    .expect("history");
    let mut conn = ground.queue.acquire().await.expect("a connection");
    let mut taken = Vec::new();
    while taken.last() != Some(&0) {
        taken.push(sweep::archive(&mut conn).await.expect("a step"));
    }
    assert_eq!(
        taken,
        [2_001, 503, 0],
        "with one from the end of the archive"
    );
    sweep::retire(&mut conn).await.expect("retired");
    drop(conn);
    for (what, sql, expected) in [
        ("jobs", "select count(*) from jobs", 1),
        ("archived", "select count(*) from job_archive", 2_500),
        (
            "attempts of failed tasks and of today's",
            "select count(*) from attempts",
            2 * 250 + 2,
        ),
        (
            "minutes of 90 days",
            "select count(*) from queue_minutes",
            2,
        ),
        ("depths of 90 days", "select count(*) from queue_depths", 2),
    ] {
        let count: i64 = sqlx::query_scalar(sql)
            .fetch_one(&ground.admin)
            .await
            .expect("a count");
        assert_eq!(count, expected, "{what}");
    }
}
