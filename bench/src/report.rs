//! The table of figures: what, measured, aim.
use std::fmt::Write;

use anyhow::{Context, Result};

#[derive(Default)]
pub struct Report {
    rows: Vec<(String, String, String)>,
    lines: Vec<String>,
}

impl Report {
    pub fn row(&mut self, what: &str, measured: impl Into<String>, aim: &str) {
        let measured = measured.into();
        eprintln!("{what}: {measured} (aim {aim})");
        self.rows.push((what.into(), measured, aim.into()));
    }

    /// A line of its own, e.g. a ratio to a peer.
    pub fn line(&mut self, line: String) {
        eprintln!("{line}");
        self.lines.push(line);
    }

    /// Prints the table; that of a whole run is kept in the repository.
    pub fn print(&self, whole: bool) -> Result<()> {
        let mut text = String::from("| what | measured | aim |\n|---|---|---|\n");
        for (what, measured, aim) in &self.rows {
            writeln!(text, "| {what} | {measured} | {aim} |")?;
        }
        text.push('\n');
        for line in &self.lines {
            writeln!(text, "{line}")?;
        }
        println!("{text}");
        if !whole {
            return Ok(());
        }
        let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpu
            .lines()
            .find_map(|l| l.strip_prefix("model name"))
            .map_or("", |l| l.trim_start_matches([' ', '\t', ':']));
        let cores = cpu.lines().filter(|l| l.starts_with("processor")).count();
        let today = domain::clock::day_in_estonia(domain::clock::now());
        let head = format!(
            "# Results of `make bench`\n\n{today} · {cores} × {model}, everything on one machine\n\n"
        );
        std::fs::write("bench/RESULTS.md", head + &text)
            .context("bench/RESULTS.md cannot be written")
    }
}

/// The value below which `percent` of the sorted values lie.
pub fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len() * percent / 100).min(values.len().saturating_sub(1));
    values.get(at).copied().unwrap_or(f64::NAN)
}
