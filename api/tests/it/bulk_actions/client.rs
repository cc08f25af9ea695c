//! A client of the whole router: tokens of each role, JSON in and out.
use api::app::{App, router};
use api::config::Config;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use domain::{Actor, Role};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::world::World;

pub struct Client {
    router: Router,
    token: Option<String>,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub fn paths(&self) -> Vec<String> {
        let violations = self.json()["violations"].clone();
        violations
            .as_array()
            .into_iter()
            .flatten()
            .map(|one| one["propertyPath"].as_str().unwrap_or_default().to_owned())
            .collect()
    }
}

/// A router over the world's database.
pub fn served(world: &World) -> Router {
    let folder = std::env::temp_dir().join(format!("toimik-api-{}", uuid::Uuid::new_v4()));
    let mut config = Config::read(&|name| match name {
        "DATABASE_URL" => Some("postgres://nobody@127.0.0.1/nothing".into()),
        "TOIMIK_DATA" => Some(folder.display().to_string()),
        _ => None,
    })
    .unwrap();
    config.database = world.api.connect_options().as_ref().clone();
    router(App::new(config).unwrap())
}

impl Client {
    /// Signed in: the session is laid into the tables, since signing in has tests of its own.
    pub async fn new(router: &Router, world: &World, actor: &Actor) -> Self {
        let token = format!("{:a<43}", uuid::Uuid::new_v4().simple().to_string());
        let role = match actor.role {
            Role::Kt => "KT",
            Role::Koda => "koda",
            Role::Dev => "dev",
        };
        sqlx::query(
            "with r as (
               insert into user_roles (user_id, tenant_id, role) values ($1, $2, $3::role_code)
               on conflict (user_id, tenant_id, role) where ended_at is null do update set granted_at = now() returning id
             ), s as (
               insert into sessions (id, user_id, role_id, cookie_hash, expires_at)
               select gen_random_uuid(), $1, r.id, '\\x00', clock_timestamp() + interval '1 hour' from r returning id
             )
             insert into session_tokens (hash, session_id, expires_at)
             select sha256(convert_to($4, 'UTF8')), s.id, clock_timestamp() + interval '15 minutes' from s",
        )
        .bind(actor.user_id.0)
        .bind(actor.tenant_id.0)
        .bind(role)
        .bind(&token)
        .execute(&world.admin)
        .await
        .unwrap();
        Self {
            router: router.clone(),
            token: Some(token),
        }
    }

    pub fn stranger(router: &Router) -> Self {
        Self {
            router: router.clone(),
            token: None,
        }
    }

    pub async fn call(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(format!("/api{path}"));
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if body.is_some() && !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request
            .body(body.map_or_else(Body::empty, |text| Body::from(text.to_owned())))
            .unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        assert!(parts.status.as_u16() < 500, "{method} {path}: {text}");
        Answer {
            status: parts.status,
            headers: parts.headers,
            text,
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call("GET", path, &[], None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.call("POST", path, &[], Some(&body.to_string())).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.call("PUT", path, &[], Some(&body.to_string())).await
    }

    /// Creates an action and freezes all its cases; returns its id.
    pub async fn launch(&self, kind: i64, args: Value) -> i64 {
        let made = self
            .post("/v2/bulk_actions", json!({"type": kind, "args": args}))
            .await;
        assert_eq!(made.status, 201, "{}", made.text);
        let id = made.json()["id"].as_i64().unwrap();
        let frozen = self
            .post(
                &format!("/v2/bulk_actions/{id}/cases"),
                json!({"filters": {}}),
            )
            .await;
        assert_eq!(frozen.status, 200, "{}", frozen.text);
        id
    }
}
