//! The rows of the table of faults, by what they hurt.
mod api_dies;
mod clocks;
mod database_full;
mod deploys;
mod disk;
mod load;
mod memory;
mod migrating;
mod network;
mod postgres_busy;
mod postgres_gone;
mod races;
mod redis_gone;
mod redis_limits;
mod register_down;
mod register_silent;
mod schedulers;
mod workers_die;

use anyhow::{Result, bail};

use crate::judge::Report;
use crate::rig::Rig;

/// All rows, and what each injects.
pub const ALL: &[(&str, &str)] = &[
    ("B1", "one of two workers dies, 20 times"),
    ("B2", "all workers die"),
    ("B3", "a worker dies after the register's yes"),
    ("B4", "a worker dies between claim and intent"),
    ("B6", "tasks that take their worker down"),
    ("B7", "the api dies while it freezes, 50 times"),
    ("B8", "the api dies after its commit"),
    ("B9", "the leading scheduler dies before a tick, 100 times"),
    ("B10", "two schedulers start at once"),
    ("B11", "the leading scheduler stands still for a minute"),
    ("B12", "Redis is away and loses nothing"),
    ("B13", "Redis loses everything"),
    ("B14", "Redis is emptied and runs on, 5 times"),
    ("B15", "Redis is full"),
    ("B16", "a Redis that may throw keys away"),
    ("B18", "PostgreSQL stops at once, 5 times"),
    ("B19", "a worker loses PostgreSQL for a minute"),
    ("B20", "PostgreSQL has no connection left"),
    ("B21", "the table of jobs is locked for half a minute"),
    ("B23", "1,000 callers hang up while the api writes"),
    ("B24", "the register answers 500 for five minutes"),
    ("B25", "the register accepts and never answers"),
    ("B31", "the disk of uploads is full"),
    ("B32", "the disk of the database is full"),
    ("B34", "nights that change the clock, 31.12. and 29.02."),
    ("B35", "a caller hangs up in the middle of an export"),
    ("B36", "a cancel at any time, 50 times"),
    ("B38", "marked done and ordered again at once"),
    ("B39", "100,000 tasks at once"),
    ("B40", "ten tasks of one bureau behind 50,000 of another"),
    ("B42", "each process is told to end in turn, 10 times"),
    ("B43", "told to end and killed five seconds later"),
    ("B44", "a worker without the memory for an import of 90 MB"),
    ("B45", "the schema changes while everything works"),
];

/// Those of the short form.
pub const SHORT: &[&str] = &[
    "B1", "B7", "B9", "B10", "B11", "B13", "B14", "B16", "B34", "B36", "B38", "B42", "B43", "B45",
];

/// Cases that a row needs.
pub fn cases(name: &str, short: bool) -> i64 {
    match name {
        _ if short => 2_500,
        "B39" | "B40" => 130_000,
        _ => 25_000,
    }
}

pub async fn run(name: &str, rig: &mut Rig) -> Result<Report> {
    match name {
        "B1" => workers_die::b1(rig).await,
        "B2" => workers_die::b2(rig).await,
        "B3" => register_silent::b3(rig).await,
        "B4" => workers_die::b4(rig).await,
        "B6" => workers_die::b6(rig).await,
        "B7" => api_dies::b7(rig).await,
        "B8" => api_dies::b8(rig).await,
        "B9" => schedulers::b9(rig).await,
        "B10" => schedulers::b10(rig).await,
        "B11" => schedulers::b11(rig).await,
        "B12" => redis_gone::b12(rig).await,
        "B13" => redis_gone::b13(rig).await,
        "B14" => redis_gone::b14(rig).await,
        "B15" => redis_limits::b15(rig).await,
        "B16" => redis_limits::b16(rig).await,
        "B18" => postgres_gone::b18(rig).await,
        "B19" => network::b19(rig).await,
        "B20" => postgres_busy::b20(rig).await,
        "B21" => postgres_busy::b21(rig).await,
        "B23" => network::b23(rig).await,
        "B24" => register_down::b24(rig).await,
        "B25" => register_silent::b25(rig).await,
        "B31" => disk::b31(rig).await,
        "B32" => database_full::b32(rig).await,
        "B34" => clocks::b34(rig).await,
        "B35" => network::b35(rig).await,
        "B36" => races::b36(rig).await,
        "B38" => races::b38(rig).await,
        "B39" => load::b39(rig).await,
        "B40" => load::b40(rig).await,
        "B42" => deploys::b42(rig).await,
        "B43" => deploys::b43(rig).await,
        "B44" => memory::b44(rig).await,
        "B45" => migrating::b45(rig).await,
        _ => bail!("no such row"),
    }
}
