//! Queues, jobs and operator actions over the whole router, and the objects that the matrix of routes asks for.
mod clock;
mod points;
mod previews;
mod selections;
mod walls;
mod watch;

use crate::site::Site;

/// Jobs, operator actions, a pause, views and selections of bureau 101, each its own where a row of the matrix acts on it.
pub async fn arrange(site: &mut Site) {
    let (tenant, user) = (site.id("bureau101"), site.id("taitur"));
    for (name, state, later) in [
        ("job_failed", "failed", false),
        ("job_retry", "failed", false),
        ("job_cancel", "queued", false),
        ("job_later", "queued", true),
    ] {
        let id: i64 = sqlx::query_scalar(
            "insert into jobs (tenant_id, queue, kind, run_at, args)
             values ($1, 'register', 'SyncToRegister', now() + case when $2 then interval '1 hour' else interval '0' end, '{}')
             returning id",
        )
        .bind(tenant)
        .bind(later)
        .fetch_one(&site.admin)
        .await
        .expect("job");
        sqlx::query(
            "update jobs set state = $2::job_state, error_code = 'tarn_maatriks', output = 'Maatriksi viga',
                             finished_at = case when $2 = 'failed' then clock_timestamp() end where id = $1",
        )
        .bind(id)
        .bind(state)
        .execute(&site.admin)
        .await
        .expect("state");
        site.ids.insert(name.into(), id);
    }
    let rule: i64 = sqlx::query_scalar(
        "insert into alert_rules (measure, queue, threshold, minutes, created_by) values ('oldestWaiting', 'register', 10, 5, $1) returning id",
    )
    .bind(user)
    .fetch_one(&site.admin)
    .await
    .expect("alert rule");
    site.ids.insert("alert_rule".into(), rule);
    domain::testing::group_failures(&site.admin)
        .await
        .expect("groups");
    let failed = site.id("job_failed");
    for (name, status) in [
        ("operator_over", 3_i16),
        ("operator_pause", 1),
        ("operator_resume", 1),
        ("operator_stop", 1),
        ("operator_pace", 1),
    ] {
        let id: i64 = sqlx::query_scalar(
            "with made as (
               insert into operator_actions (tenant_id, kind, status, filter, total, created_by, created_by_role, finished_at, paused_at)
               values ($1, 'retry', $2, '{}', 1, $3, 'KT', case when $2 = 3 then now() end, case when $4 then now() end) returning id
             ), item as (
               insert into operator_action_items (action_id, job_id, tenant_id, state)
               select id, $5, $1, case when $2 = 3 then 'failed' else 'waiting' end from made
             )
             select id from made",
        )
        .bind(tenant)
        .bind(status)
        .bind(user)
        .bind(name == "operator_resume")
        .bind(failed)
        .fetch_one(&site.admin)
        .await
        .expect("operator action");
        site.ids.insert(name.into(), id);
    }
    for (name, statement) in [
        (
            "pause",
            "insert into pauses (queue, reason, created_by) select 'cron', 'Hooldus', $2 from bureaus where id = $1 returning id",
        ),
        (
            "view",
            "insert into saved_views (tenant_id, user_id, page, name, query, shared) values ($1, $2, 'jobs', 'Minu', 'state=failed', true) returning id",
        ),
        (
            "view_gone",
            "insert into saved_views (tenant_id, user_id, page, name, query) values ($1, $2, 'jobs', 'Vana', 'state=ok') returning id",
        ),
        (
            "selection",
            "insert into case_selections (tenant_id, created_by) values ($1, $2) returning id",
        ),
        (
            "selection_gone",
            "insert into case_selections (tenant_id, created_by) values ($1, $2) returning id",
        ),
    ] {
        let id: i64 = sqlx::query_scalar(statement)
            .bind(tenant)
            .bind(user)
            .fetch_one(&site.admin)
            .await
            .expect("row");
        site.ids.insert(name.into(), id);
    }
}
