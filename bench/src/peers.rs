//! The peers, on the same PostgreSQL, Redis and cases: one bare UPDATE a job, two processes each.
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::process::Command;

use crate::report::Report;
use crate::rig::Rig;
use crate::tasks;

/// A queue from npm with the ways to run it that it does best with; decision 0071 says what else was tried.
struct Peer {
    name: &'static str,
    script: &'static str,
    /// What the two arguments of its worker mean.
    meaning: [&'static str; 2],
    ways: [[&'static str; 2]; TURNS],
    /// One while it holds a job that has not ended.
    live: Live,
}

enum Live {
    /// A query of PostgreSQL, and the schema to drop afterwards.
    Rows(&'static str, &'static str),
    /// Lists of Redis; it is emptied of everything with their prefix afterwards.
    Lists(&'static str, &'static [&'static str]),
}

const PEERS: [Peer; 3] = [
    Peer {
        name: "pg-boss 10.4.2",
        script: "pg-boss.js",
        meaning: ["loops", "batch"],
        ways: [["2", "500"], ["2", "1000"], ["4", "1000"]],
        live: Live::Rows(
            "select count(*) from (select from pgboss.job where state < 'completed' limit 1) l",
            "pgboss",
        ),
    },
    Peer {
        name: "graphile-worker 0.17.3",
        script: "graphile-worker.js",
        meaning: ["at once", "fetched ahead"],
        ways: [["10", "500"], ["24", "500"], ["24", "1000"]],
        live: Live::Rows(
            "select count(*) from (select from graphile_worker._private_jobs limit 1) l",
            "graphile_worker",
        ),
    },
    Peer {
        name: "BullMQ 6.7.0",
        script: "bullmq.js",
        meaning: ["workers", "at once"],
        ways: [["1", "50"], ["1", "100"], ["1", "200"]],
        live: Live::Lists("bull:touch:", &["wait", "active"]),
    },
];

/// Rounds of all peers: in each turn every one of them goes another of its ways.
pub const TURNS: usize = 3;

/// The best round of each peer so far: jobs per second, and the way that it went.
pub struct Best([(f64, [&'static str; 2]); PEERS.len()]);

impl Best {
    pub async fn install() -> Result<Self> {
        let install = Command::new("npm")
            .args(["ci", "--silent"])
            .current_dir("bench/peers")
            .status()
            .await
            .context("npm")?;
        if !install.success() {
            bail!("the peers could not be installed");
        }
        Ok(Self([(0.0, ["", ""]); PEERS.len()]))
    }

    pub async fn turn(&mut self, rig: &Rig, turn: usize) -> Result<()> {
        for (peer, best) in PEERS.iter().zip(&mut self.0) {
            let way = peer.ways[turn];
            let rate = peer.round(rig, way).await?;
            eprintln!("{} {way:?}: {rate:.0} jobs/s", peer.name);
            if rate > best.0 {
                *best = (rate, way);
            }
        }
        rig.forget_redis_peak();
        Ok(())
    }

    /// Writes a row for each; returns the rate of the best of all.
    pub fn tell(&self, report: &mut Report) -> f64 {
        let (mut best, mut whose) = (0.0_f64, "");
        for (peer, (rate, how)) in PEERS.iter().zip(self.0) {
            let [first, second] = peer.meaning;
            report.row(
                &format!(
                    "{}, one bare UPDATE a job, 2 processes, {first} {}, {second} {}",
                    peer.name, how[0], how[1]
                ),
                format!("{rate:.0} jobs/s"),
                "a peer",
            );
            if rate > best {
                (best, whose) = (rate, peer.name);
            }
        }
        report.line(format!("best peer: {whose}"));
        best
    }
}

impl Peer {
    /// Fills the queue and lets two processes empty it; jobs per second from the first UPDATE to the last, so that the start
    /// of node does not count.
    async fn round(&self, rig: &Rig, way: [&str; 2]) -> Result<f64> {
        let count = tasks();
        if !self
            .node(rig, &["fill", &count.to_string()])?
            .status()
            .await?
            .success()
        {
            bail!("{} could not be filled", self.name);
        }
        let begun = rig.text("select clock_timestamp()::text").await?;
        let work = ["work", way[0], way[1]];
        let mut workers = [
            self.node(rig, &work)?.spawn()?,
            self.node(rig, &work)?.spawn()?,
        ];
        let started = Instant::now();
        while self.is_live(rig).await? {
            if started.elapsed() > Duration::from_secs(300) {
                bail!("{} did not end in five minutes", self.name);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        for worker in &mut workers {
            worker.kill().await?;
        }
        let (done, rate): (i64, Option<f64>) = sqlx::query_as(
            "select count(*), count(*) / nullif(extract(epoch from max(updated_at) - min(updated_at)), 0)::float8
             from cases where updated_at > $1::timestamptz",
        )
        .bind(begun)
        .fetch_one(&rig.admin)
        .await?;
        if done != count {
            bail!("{} updated {done} cases of {count}", self.name);
        }
        match self.live {
            Live::Rows(_, schema) => {
                rig.execute(&format!("drop schema {schema} cascade"))
                    .await?
            }
            Live::Lists(prefix, _) => rig.forget_keys(prefix).await?,
        }
        rate.context("no time passed")
    }

    fn node(&self, rig: &Rig, arguments: &[&str]) -> Result<Command> {
        let mut command = Command::new("node");
        command
            .arg(self.script)
            .args(arguments)
            .current_dir("bench/peers")
            .env("DATABASE_URL", &rig.url)
            .env("REDIS_URL", crate::rig::redis_url()?)
            .stdout(Stdio::null())
            .kill_on_drop(true);
        Ok(command)
    }

    async fn is_live(&self, rig: &Rig) -> Result<bool> {
        match self.live {
            Live::Rows(query, _) => Ok(rig.count(query).await? > 0),
            Live::Lists(prefix, lists) => {
                let mut conn = crate::rig::redis().await?;
                for list in lists {
                    let key = format!("{prefix}{list}");
                    let length: u64 = redis::cmd("LLEN").arg(key).query_async(&mut conn).await?;
                    if length > 0 {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }
}
