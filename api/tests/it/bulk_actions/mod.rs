//! The calls of bulk actions over the whole router, and the objects that the matrix of routes asks for.
mod attacks;
pub mod client;
mod life;
#[allow(dead_code, reason = "shared with the tests of domain")]
#[path = "../../../../domain/tests/bulk_actions/world.rs"]
pub mod world;

use crate::site::Site;

/// Actions and tasks of bureau 101 in the states that the rows of the matrix act on, each its own.
pub async fn arrange(site: &mut Site) {
    for (name, status, task) in [
        ("action_empty", 1_i16, None),
        ("action_over", 3, Some("failed")),
        ("action_retry", 3, Some("failed")),
        ("action_cancel", 1, Some("queued")),
        ("action_pause", 1, Some("queued")),
        ("action_resume", 1, Some("queued")),
        ("action_pace", 1, Some("queued")),
        ("task_retry", 3, Some("failed")),
        ("task_mark", 3, Some("failed")),
    ] {
        let action: i64 = sqlx::query_scalar(
            "insert into bulk_actions (tenant_id, type, status, created_by, created_by_role, cases_frozen_at, paused_at)
             values ($1, 3, $2, $3, 'KT', case when $4 then now() end, case when $5 then now() end) returning id",
        )
        .bind(site.id("bureau101"))
        .bind(status)
        .bind(site.id("taitur"))
        .bind(task.is_some())
        .bind(name == "action_resume")
        .fetch_one(&site.admin)
        .await
        .expect("action");
        let mut id = action;
        if let Some(state) = task {
            id = sqlx::query_scalar(
                "insert into jobs (tenant_id, bulk_action_id, queue, kind, state) values ($1, $2, 'bulk', 'ComputeIssuerFee', $3::job_state)
                 returning id",
            )
            .bind(site.id("bureau101"))
            .bind(action)
            .bind(state)
            .fetch_one(&site.admin)
            .await
            .expect("task");
        }
        site.ids.insert(
            name.into(),
            if name.starts_with("task") { id } else { action },
        );
    }
}
