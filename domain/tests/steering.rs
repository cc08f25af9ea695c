//! What steers the queue, against real PostgreSQL under the logins' own roles: paces over bureaus.
use domain::db;
use domain::ids::{BulkActionId, JobId};
use domain::jobs::Queue;
use domain::jobs::dispatch::{self, Bundle, Steering};
use domain::testing::Database;
use sqlx::PgPool;

struct Ground {
    _db: Database,
    admin: PgPool,
    queue: PgPool,
}

impl Ground {
    async fn new() -> Self {
        let db = Database::new().await;
        Self {
            admin: db.admin(),
            queue: db::queue_pool(db.options().username("toimik_jobs"), 5),
            _db: db,
        }
    }

    async fn tasks(&self, tenant: i64, action: i64, jobs: i32) {
        sqlx::query(
            "insert into jobs (tenant_id, bulk_action_id, queue, kind)
             select $1, $2, 'bulk', 'ComputeIssuerFee' from generate_series(1, $3)",
        )
        .bind(tenant)
        .bind(action)
        .bind(jobs)
        .execute(&self.admin)
        .await
        .expect("tasks");
    }

    async fn pick(&self, room: i64, limits: &[(BulkActionId, i64)]) -> Vec<Bundle> {
        let mut conn = self.queue.acquire().await.expect("a connection");
        dispatch::pick(&mut conn, Queue::Bulk, room, &Steering::default(), limits)
            .await
            .expect("a pick")
    }
}

fn of_action(bundles: &[Bundle], action: i64) -> Vec<JobId> {
    let mut ids: Vec<_> = bundles
        .iter()
        .filter(|bundle| bundle.bulk_action_id == Some(BulkActionId(action)))
        .flat_map(|bundle| bundle.pairs.iter().map(|pair| pair.0))
        .collect();
    ids.sort();
    ids
}

/// The chamber's action has tasks in each bureau, and a person's retries among them: one pace holds for all.
#[tokio::test]
async fn a_pace_holds_over_all_bureaus_of_an_action_together() {
    let ground = Ground::new().await;
    for tenant in 1..=3 {
        ground.tasks(tenant, 11, 50).await;
    }
    ground.tasks(3, 31, 50).await;
    sqlx::query("update jobs set priority = 1 where id in (149, 150)")
        .execute(&ground.admin)
        .await
        .expect("priority");
    let picked = ground.pick(20, &[(BulkActionId(11), 5)]).await;
    assert_eq!(
        of_action(&picked, 11),
        [1, 51, 101, 149, 150].map(JobId),
        "the retries first, then bureaus in turn"
    );
    assert_eq!(of_action(&picked, 31).len(), 15, "the rest of the room");
    let picked = ground.pick(20, &[(BulkActionId(11), 0)]).await;
    assert!(of_action(&picked, 11).is_empty());
}
