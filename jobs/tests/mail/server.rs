//! The SMTP server process of scripts/smtp-server, and what it says happened.
use std::process::Stdio;
use std::time::Duration;

use mail_parser::{Message, MessageParser};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

pub struct Smtp {
    pub port: u64,
    events: Lines<BufReader<ChildStdout>>,
    _process: Child,
}

impl Smtp {
    pub async fn start(arguments: &[&str]) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/smtp-server");
        let mut process = Command::new(script)
            .args(arguments)
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("scripts/smtp-server");
        let out = process.stdout.take().expect("a pipe");
        let mut server = Self {
            port: 0,
            events: BufReader::new(out).lines(),
            _process: process,
        };
        server.port = server.next("ready").await["port"].as_u64().expect("port");
        server
    }

    /// The next event of this kind; the first may wait for packages to be installed.
    pub async fn next(&mut self, kind: &str) -> Value {
        let found = async {
            loop {
                let line = self.events.next_line().await.expect("readable");
                let event: Value = serde_json::from_str(&line.expect("it runs")).expect("JSON");
                if event["event"] == kind {
                    return event;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(120), found)
            .await
            .unwrap_or_else(|_| panic!("no {kind} in two minutes"))
    }
}

/// A mail as its reader's program understands it.
pub fn parsed(content: &str) -> Message<'_> {
    MessageParser::default().parse(content).expect("a mail")
}
