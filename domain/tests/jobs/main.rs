//! The queue of record against real PostgreSQL, under the logins' own roles.
use std::collections::HashMap;

use domain::db;
use domain::ids::{BulkActionId, JobId, WorkerId};
use domain::jobs::dispatch::{self, Steering};
use domain::jobs::{Queue, run, sweep};
use domain::testing::Database;
use sqlx::PgPool;

mod plans;
mod queue;
mod registers;
mod steering;

struct Ground {
    db: Database,
    admin: PgPool,
    pool: PgPool,
    queue: PgPool,
}

impl Ground {
    async fn new() -> Self {
        let db = Database::new().await;
        Self {
            admin: db.admin(),
            pool: db.pool("jobs"),
            queue: db::queue_pool(db.options().username("toimik_jobs"), 5),
            db,
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

    async fn pick(&self, room: i64) -> Vec<dispatch::Bundle> {
        self.pick_with(room, &Steering::default(), &[]).await
    }

    async fn pick_with(
        &self,
        room: i64,
        steering: &Steering,
        limits: &[(BulkActionId, i64)],
    ) -> Vec<dispatch::Bundle> {
        let mut conn = self.queue.acquire().await.expect("a connection");
        dispatch::pick(&mut conn, Queue::Bulk, room, steering, limits)
            .await
            .expect("a pick")
    }

    async fn claim(&self, pairs: &[(JobId, i32)]) -> Vec<run::Claimed> {
        run::claim(
            &mut self.queue.acquire().await.expect("a connection"),
            WorkerId(1),
            pairs,
        )
        .await
        .expect("a claim")
    }

    async fn states(&self) -> HashMap<String, i64> {
        let rows: Vec<(String, i64)> =
            sqlx::query_as("select state::text, count(*) from jobs group by 1")
                .fetch_all(&self.admin)
                .await
                .expect("states");
        rows.into_iter().collect()
    }

    async fn expire(&self) {
        sqlx::query(
            "update jobs set lease_until = now() - interval '1 s' where lease_until is not null",
        )
        .execute(&self.admin)
        .await
        .expect("expired");
    }

    async fn sweep(&self) -> sweep::Swept {
        let swept = sweep::expired(&mut self.queue.acquire().await.expect("a connection"))
            .await
            .expect("a sweep");
        sqlx::query("update jobs set run_at = now() - interval '1 s' where state = 'queued'")
            .execute(&self.admin)
            .await
            .expect("due");
        swept
    }
}
