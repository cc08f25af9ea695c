//! The post against a real PostgreSQL, through the roles that the processes use: who is told what, how often, and when.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
mod daily;
mod storm;
mod telling;
#[path = "../bulk_actions/world.rs"]
mod world;

use chrono::{DateTime, Utc};
use domain::mail::post;
use world::World;

/// Makes mails of what is due, as the leader does.
pub async fn deliver(world: &World, now: DateTime<Utc>) {
    loop {
        let mut tx = world.queue().await;
        let more = post(&mut tx, "example.ee", now).await.unwrap();
        tx.commit().await.unwrap();
        if !more {
            return;
        }
    }
}

/// How many events each mail of a person tells of, in order.
pub async fn mails(world: &World, user: i64) -> Vec<i32> {
    sqlx::query_scalar("select notices from mails where user_id = $1 order by id")
        .bind(user)
        .fetch_all(&world.admin)
        .await
        .unwrap()
}

/// A bailiff of the bureau 101.
pub async fn person(world: &World, name: &str) -> i64 {
    let user = sqlx::query_scalar(
        "insert into users (username, username_key, name, email) values ($1, $1, upper($1), $1 || '@example.ee') returning id",
    )
    .bind(name)
    .fetch_one(&world.admin)
    .await
    .unwrap();
    role(world, user, world.b101, "KT").await;
    user
}

pub async fn role(world: &World, user: i64, tenant: domain::ids::TenantId, role: &str) {
    sqlx::query("insert into user_roles (user_id, tenant_id, role) values ($1, $2, $3::role_code) on conflict do nothing")
        .bind(user)
        .bind(tenant.0)
        .bind(role)
        .execute(&world.admin)
        .await
        .unwrap();
}
