//! The post end to end: a worker process sends to a real SMTP server, and to files; webhooks to a real receiver.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
mod files;
mod sending;
mod server;
mod stack;
mod webhooks;
