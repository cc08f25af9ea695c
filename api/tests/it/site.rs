//! A site for one test: its database with two bureaus and their people, the router, and calls to it.
use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use api::app::{App, router};
use api::config::Config;
use api::serve::Times;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Request, StatusCode};
use domain::testing::Database;
use domain::users;
use http_body_util::BodyExt;
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::PgPool;
use tower::ServiceExt;
use uuid::Uuid;

pub const PASSWORD: &str = "toimik-demo";

/// What an answer was.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
    pub text: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The status and the first violation's place, for tables.
    pub fn sketch(&self) -> String {
        let place = self.body["violations"][0]["propertyPath"].as_str();
        place.map_or_else(
            || self.status.as_str().to_owned(),
            |place| format!("{} {place}", self.status.as_str()),
        )
    }
}

pub struct Site {
    pub router: Router,
    pub admin: PgPool,
    pub app: App,
    /// Ids by name: `bureau101`, `taitur`, `taitur/KT/101` (a role) …
    pub ids: HashMap<String, i64>,
    _database: Database,
    files: std::path::PathBuf,
}

impl Site {
    pub async fn new() -> Self {
        Self::with(&[]).await
    }

    /// A site with other settings than the defaults.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        crate::logs::keep();
        let database = Database::new().await;
        let admin = database.admin();
        let files = std::env::temp_dir().join(format!("toimik-api-{}", Uuid::new_v4()));
        let config = Config::read(&|name| match name {
            "DATABASE_URL" => Some("postgres://toimik_api@localhost/unused".into()),
            "TOIMIK_DATA" => Some(files.display().to_string()),
            name => settings
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned()),
        })
        .expect("settings");
        let config = Config {
            database: database.options().username("toimik_api"),
            ..config
        };
        let app = App::new(config).expect("app");
        let router = router(app.clone());
        let mut site = Self {
            router,
            admin,
            app,
            ids: HashMap::new(),
            _database: database,
            files,
        };
        site.people().await;
        site
    }

    async fn people(&mut self) {
        for (code, name) in [("101", "Näidisbüroo"), ("102", "Teine büroo")] {
            let id = self.insert("insert into bureaus (code, name, bailiff_name) values ($1, $2, 'Kohtutäitur') returning id", &[code, name]).await;
            self.ids.insert(format!("bureau{code}"), id);
        }
        let chamber: i64 = sqlx::query_scalar("select id from bureaus where is_chamber")
            .fetch_one(&self.admin)
            .await
            .expect("chamber");
        self.ids.insert("bureaukoda".into(), chamber);
        let hash = users::hash_password(PASSWORD).expect("hash");
        for name in ["taitur", "taitur2", "koda", "arendaja", "mitu", "lahkunud"] {
            let text = "insert into users (username, username_key, name, email, password_hash) values ($1, $1, upper($1), $1 || '@naidis.ee', $2) returning id";
            let id = self.insert(text, &[name, &hash]).await;
            self.ids.insert(name.into(), id);
        }
        for (user, role, bureau) in [
            ("taitur", "KT", "101"),
            ("taitur2", "KT", "102"),
            ("koda", "koda", "koda"),
            ("arendaja", "dev", "koda"),
            ("mitu", "KT", "101"),
            ("mitu", "KT", "102"),
            ("mitu", "koda", "koda"),
            ("lahkunud", "KT", "102"),
        ] {
            let id: i64 = sqlx::query_scalar("insert into user_roles (user_id, tenant_id, role) values ($1, $2, $3::role_code) returning id")
                .bind(self.id(user))
                .bind(self.id(&format!("bureau{bureau}")))
                .bind(role)
                .fetch_one(&self.admin)
                .await
                .expect("role");
            self.ids.insert(format!("{user}/{role}/{bureau}"), id);
        }
    }

    /// What the matrix asks for beyond people: objects of bureau 101, by name.
    pub async fn work(&mut self) {
        let bank: i64 = sqlx::query_scalar("select min(id) from banks")
            .fetch_one(&self.admin)
            .await
            .expect("bank");
        self.ids.insert("bank".into(), bank);
        crate::bulk_actions::arrange(self).await;
        crate::operations::arrange(self).await;
        let import: i64 = sqlx::query_scalar(
            "insert into imports (tenant_id, type, file_key, file_name, file_bytes, created_by)
             values ($1, 'taavi', 'x', 'x.csv', 1, $2) returning id",
        )
        .bind(self.id("bureau101"))
        .bind(self.id("taitur"))
        .fetch_one(&self.admin)
        .await
        .expect("import");
        self.ids.insert("import".into(), import);
        let mail: i64 = sqlx::query_scalar(
            "insert into mails (user_id, kind, message_id, notices, facts, created_at)
             values ($1, 'import', 'matrix@localhost', 1, '{}', now()) returning id",
        )
        .bind(self.id("taitur"))
        .fetch_one(&self.admin)
        .await
        .expect("mail");
        self.ids.insert("mail".into(), mail);
    }

    /// The folder of uploaded files.
    pub fn files(&self) -> &std::path::Path {
        &self.files
    }

    async fn insert(&self, text: &'static str, values: &[&str]) -> i64 {
        let mut query = sqlx::query_scalar(text);
        for value in values {
            query = query.bind(*value);
        }
        query.fetch_one(&self.admin).await.expect("row")
    }

    pub fn id(&self, name: &str) -> i64 {
        *self
            .ids
            .get(name)
            .unwrap_or_else(|| panic!("no id of {name}"))
    }

    /// A token in a session of its own, with that role (`taitur/KT/101`) or without one (`taitur`).
    pub async fn token(&self, who: &str) -> String {
        let user = who.split('/').next().expect("a name");
        let role = who.contains('/').then(|| self.id(who));
        let token = format!(
            "{}{}",
            Uuid::new_v4().simple(),
            &Uuid::new_v4().simple().to_string()[..11]
        );
        let session = Uuid::new_v4();
        sqlx::query("insert into sessions (id, user_id, role_id, cookie_hash, expires_at) values ($1, $2, $3, $4, now() + interval '10 hours')")
            .bind(session)
            .bind(self.id(user))
            .bind(role)
            .bind(session.as_bytes().to_vec())
            .execute(&self.admin)
            .await
            .expect("session");
        sqlx::query("insert into session_tokens (hash, session_id, expires_at) values ($1, $2, now() + interval '15 minutes')")
            .bind(Sha256::digest(token.as_bytes()).to_vec())
            .bind(session)
            .execute(&self.admin)
            .await
            .expect("token");
        token
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self
            .router
            .clone()
            .oneshot(request)
            .await
            .expect("never fails");
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response
            .into_body()
            .collect()
            .await
            .expect("body")
            .to_bytes();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Answer {
            status,
            headers,
            body: serde_json::from_str(&text).unwrap_or(Value::Null),
            text,
        }
    }

    /// A call with a token (empty: none) and a JSON body (empty: none).
    pub async fn call(&self, method: &str, path: &str, token: &str, body: &str) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("/api{path}"))
            .header("host", "127.0.0.1:8080");
        if !token.is_empty() {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if !body.is_empty() {
            request = request.header("content-type", "application/json");
        }
        self.send(request.body(Body::from(body.to_owned())).expect("request"))
            .await
    }

    pub async fn get(&self, path: &str, token: &str) -> Answer {
        self.call("GET", path, token, "").await
    }

    /// A sign-in by password, from an address of its own when one is given.
    pub async fn login_from(&self, address: &str, username: &str, password: &str) -> Answer {
        let body = serde_json::json!({"username": username, "password": password}).to_string();
        let mut request = Request::post("/api/auth/login")
            .header("host", "127.0.0.1:8080")
            .header("content-type", "application/json");
        if !address.is_empty() {
            let peer: SocketAddr = format!("{address}:1000").parse().expect("address");
            request = request.extension(ConnectInfo(peer));
        }
        self.send(request.body(Body::from(body)).expect("request"))
            .await
    }

    pub async fn login(&self, username: &str, password: &str) -> Answer {
        self.login_from("", username, password).await
    }

    /// How many audit rows of that action there are.
    pub async fn audited(&self, action: &str) -> i64 {
        sqlx::query_scalar("select count(*) from audit where action = $1")
            .bind(action)
            .fetch_one(&self.admin)
            .await
            .expect("audit")
    }

    /// Runs a statement as the administrator, for arranging.
    pub async fn arrange(&self, text: &'static str) {
        sqlx::raw_sql(text)
            .execute(&self.admin)
            .await
            .expect("arranged");
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.files);
    }
}

/// The value of the session cookie that an answer sets.
pub fn cookie_of(answer: &Answer) -> String {
    let text = answer.header("set-cookie").expect("a cookie");
    text.split(';').next().expect("a pair").to_owned()
}

/// Those of a server that is to answer soon and to end at once.
pub fn times() -> Times {
    Times {
        receive: Duration::from_secs(1),
        notice: Duration::ZERO,
    }
}
