//! What a worker process shows of itself on its loopback port, also while Redis is away. Real PostgreSQL and Redis.
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use domain::ids::TenantId;
use domain::jobs::{Kind, NewJob, Queue, enqueue};
use domain::testing::Database;
use jobs::broker::Broker;
use jobs::process::{self, Settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

/// A Redis of the test's own, so that it can be taken away.
struct Redis {
    folder: PathBuf,
    server: Child,
}

impl Redis {
    async fn start() -> Self {
        let folder = std::env::temp_dir().join(format!("toimik-redis-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let server = serve(&folder);
        let redis = Self { folder, server };
        let url = redis.url();
        let up = async {
            while Broker::connect(&url, "test").await.is_err() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), up)
            .await
            .expect("Redis answers");
        redis
    }

    fn url(&self) -> String {
        format!("redis+unix://{}", self.folder.join("redis.sock").display())
    }

    async fn cut(&mut self) {
        self.server.kill().await.expect("killed");
    }

    /// Takes nothing more once it holds so many bytes; 0 is no limit.
    async fn limit(&self, bytes: &str) {
        let client = redis::Client::open(self.url()).expect("a URL");
        let mut conn = client
            .get_multiplexed_async_connection()
            .await
            .expect("connected");
        let set: redis::RedisResult<()> = redis::cmd("CONFIG")
            .arg(&["SET", "maxmemory", bytes])
            .query_async(&mut conn)
            .await;
        set.expect("set");
    }

    fn mend(&mut self) {
        self.server = serve(&self.folder);
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

fn serve(folder: &Path) -> Child {
    Command::new("redis-server")
        .args(["--port", "0", "--save", ""])
        .args(["--maxmemory-policy", "noeviction", "--unixsocket"])
        .arg(folder.join("redis.sock"))
        .stdout(std::process::Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("redis-server")
}

async fn get(address: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("connected");
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("asked");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answered");
    answer
}

/// Asks until the answer holds all of `wanted`.
async fn until(address: SocketAddr, path: &str, wanted: &[&str]) -> String {
    let mut last = String::new();
    let asked = async {
        loop {
            last = get(address, path).await;
            if wanted.iter().all(|part| last.contains(part)) {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    let found = tokio::time::timeout(Duration::from_secs(60), asked).await;
    assert!(found.is_ok(), "no {wanted:?} in {last}");
    last
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_whose_redis_is_gone_or_full_is_not_ready_and_recovers() {
    let database = Database::new().await;
    let mut redis = Redis::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let settings = Settings {
        database: database.options().username("toimik_jobs"),
        redis_url: redis.url(),
        redis_prefix: "test".into(),
        concurrency: vec![(Queue::Interactive, 4)],
        registers: registers::Config::new("http://127.0.0.1:9/xroad").expect("a URL"),
        store: Arc::new(object_store::memory::InMemory::new()),
        mail: jobs::mail::Config::to_files(),
        webhooks: jobs::webhook::Config::default(),
        drain: Duration::from_millis(200),
        status: Some(listener),
    };
    let stop = CancellationToken::new();
    let process = tokio::spawn(process::run(settings, stop.clone()));
    until(address, "/readyz", &["HTTP/1.1 200", r#"{"status":"ok"}"#]).await;

    let probe = || async {
        let mut tx = domain::db::begin(&database.pool("api"), domain::Scope::Chamber)
            .await
            .expect("begin");
        enqueue(&mut tx, &NewJob::new(Kind::Probe, TenantId(1)))
            .await
            .expect("enqueued");
        tx.commit().await.expect("commit");
    };
    probe().await;
    let ran = r#"job_runs_total{queue="interactive",outcome="ok"}"#;
    let shown = until(address, "/metrics", &[&format!("{ran} 1")]).await;
    for line in [
        r#"job_slots{queue="interactive"} 4"#,
        r#"job_slots_used{queue="interactive"}"#,
        "dispatcher_leads 1",
        r#"dispatcher_window_jobs{queue="interactive"} 8"#,
        r#"database_connections{pool="work",state="idle"}"#,
    ] {
        assert!(shown.contains(line), "{line} in {shown}");
    }

    redis.cut().await;
    let missing = r#"{"missing":["Redis"],"status":"unavailable"}"#;
    until(address, "/readyz", &["HTTP/1.1 503", missing]).await;
    redis.mend();
    until(address, "/readyz", &["HTTP/1.1 200"]).await;
    probe().await;
    until(address, "/metrics", &[&format!("{ran} 2")]).await;

    // Full, it still answers; what it cannot do is take a delivery.
    redis.limit("1").await;
    until(address, "/readyz", &["HTTP/1.1 503", missing]).await;
    redis.limit("0").await;
    until(address, "/readyz", &["HTTP/1.1 200"]).await;
    probe().await;
    until(address, "/metrics", &[&format!("{ran} 3")]).await;
    stop.cancel();
    process.await.expect("no panic").expect("an orderly end");
}
