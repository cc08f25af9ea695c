//! A scheduler whose clock the rig sets: libfaketime adds what a file says to the time of day, and leaves waiting times alone.
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::now;

/// Where Debian puts it.
const LIBRARY: &str = "/usr/lib/*/faketime/libfaketime.so.1";

pub struct Clock {
    file: PathBuf,
    ahead: TimeDelta,
}

impl Clock {
    /// One that shows `at` now.
    pub fn at(folder: &Path, at: DateTime<Utc>) -> Result<Self> {
        let mut clock = Self {
            file: folder.join("clock"),
            ahead: TimeDelta::zero(),
        };
        clock.set(at - now())?;
        Ok(clock)
    }

    fn set(&mut self, ahead: TimeDelta) -> Result<()> {
        // Read as a whole or not at all.
        let fresh = self.file.with_extension("new");
        std::fs::write(&fresh, format!("{:+}\n", ahead.num_seconds()))?;
        std::fs::rename(&fresh, &self.file)?;
        self.ahead = ahead;
        Ok(())
    }

    /// Jumps forward.
    pub fn advance(&mut self, by: TimeDelta) -> Result<()> {
        self.set(self.ahead + by)
    }

    pub fn now(&self) -> DateTime<Utc> {
        now() + self.ahead
    }

    /// For the environment of a process.
    pub fn settings(&self) -> Result<Vec<(&'static str, String)>> {
        Ok(vec![
            ("LD_PRELOAD", library()?.display().to_string()),
            ("FAKETIME_TIMESTAMP_FILE", self.file.display().to_string()),
            ("FAKETIME_NO_CACHE", "1".into()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".into()),
            ("FAKETIME_DONT_RESET", "1".into()),
            ("TZ", "Europe/Tallinn".into()),
        ])
    }
}

fn library() -> Result<PathBuf> {
    let (before, after) = LIBRARY.split_once('*').context("no place")?;
    let found = std::fs::read_dir(before)?
        .filter_map(Result::ok)
        .map(|entry| PathBuf::from(format!("{}{after}", entry.path().display())))
        .find(|path| path.exists());
    found.context("libfaketime is not installed: the package faketime")
}
