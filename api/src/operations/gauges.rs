//! The overview as series: the same answer that the page shows, in Prometheus's units.
use chrono::{DateTime, Utc};
use domain::error_groups::{self, Wanted};
use domain::ids::{RoleId, TenantId, UserId};
use domain::metrics::{Sheet, seconds};
use domain::{Actor, Role, Tx, alerts, crons, queues};

use super::look;
use super::wire::{QueueAnswer, RegisterAnswer, Seen, WorkersAnswer};
use crate::error::Result;

/// Adds what the overview shows an operator.
pub async fn add(tx: &mut Tx, sheet: &mut Sheet, now: DateTime<Utc>) -> Result<()> {
    let reader = reader();
    let seen = look(tx, &reader, now).await?;
    let wanted = Wanted {
        hours: 24,
        ..Wanted::default()
    };
    let (errors, _) = error_groups::list(tx, &wanted, 1, now).await?;
    let open = queues::open_actions(tx).await?;
    of_queues(sheet, &seen.queues(), now);
    of_registers(sheet, &seen.registers(), now);
    of_workers(sheet, &super::workers_answer(&reader, &seen.workers));
    of_pauses(sheet, &seen);
    of_watch(tx, sheet, now).await?;
    let help = "Groups of errors of the last 24 hours";
    sheet.gauge("error_groups", help, errors.value() as f64);
    let rows = [("bulk", open.bulk), ("operator", open.operator)];
    let rows = rows.map(|(kind, count)| ([("kind", kind)], count as f64));
    sheet.gauges("actions_open", "Actions that are not over", rows);
    Ok(())
}

/// What alerts are about besides queues: crons, and the alerts themselves.
async fn of_watch(tx: &mut Tx, sheet: &mut Sheet, now: DateTime<Utc>) -> Result<()> {
    let late = crons::late(tx, now).await?;
    let rows = crons::TABLE.iter().map(|cron| {
        let minutes = late.iter().find(|(name, _)| *name == cron.name);
        let minutes = minutes.map_or(0, |(_, minutes)| *minutes);
        ([("cron", cron.name)], f64::from(minutes.saturating_mul(60)))
    });
    let help = "For how long each cron should have fired";
    sheet.gauges("cron_late_seconds", help, rows);
    let firing = alerts::firing(tx).await?;
    let rows = alerts::MEASURES.iter().map(|measure| {
        let count = firing.iter().find(|(name, _)| name == measure);
        (
            [("measure", *measure)],
            count.map_or(0, |(_, count)| *count) as f64,
        )
    });
    sheet.gauges("alerts_firing", "Alerts that are open", rows);
    Ok(())
}

/// Whoever sees all and is nobody.
fn reader() -> Actor {
    Actor {
        user_id: UserId(0),
        username: String::new(),
        role_id: RoleId(0),
        role: Role::Dev,
        tenant_id: TenantId(0),
        tenant_code: String::new(),
        request_id: String::new(),
    }
}

/// One series: its name, its sentence, and what it is of one queue; nothing where that is not known.
type Series<T> = (
    &'static str,
    &'static str,
    fn(&T, DateTime<Utc>) -> Option<f64>,
);

const QUEUES: [Series<QueueAnswer>; 17] = [
    (
        "queue_waiting_jobs",
        "Jobs queued, and on the way to a worker",
        |queue, _| whole(queue.waiting.value()),
    ),
    (
        "queue_retrying_jobs",
        "Of the waiting, those that wait for another try",
        |queue, _| whole(queue.retrying.value()),
    ),
    ("queue_running_jobs", "Jobs that run", |queue, _| {
        whole(queue.running)
    }),
    (
        "queue_failed_day_jobs",
        "Jobs that failed in the last 24 hours",
        |queue, _| whole(queue.failed24h.value()),
    ),
    (
        "queue_oldest_waiting_seconds",
        "For how long the oldest job has been due, 0 where none is",
        |queue, now| {
            let due = queue.oldest_due_at.map(|at| (now - at).num_milliseconds());
            Some(seconds(due.unwrap_or(0)))
        },
    ),
    (
        "queue_done_per_minute",
        "Jobs that ended otherwise than failed, a minute, over the last five",
        |queue, _| Some(queue.done_per_minute),
    ),
    (
        "queue_failed_per_minute",
        "Jobs that failed, a minute, over the last five",
        |queue, _| Some(queue.failed_per_minute),
    ),
    (
        "queue_drain_seconds",
        "Until nothing waits, at the present rate; none where it does not drain",
        |queue, _| queue.drain_seconds.map(|left| left as f64),
    ),
    (
        "queue_wait_mean_seconds",
        "How long jobs that ended in the last five minutes had waited",
        |queue, _| queue.mean_wait_ms.map(seconds),
    ),
    (
        "queue_run_mean_seconds",
        "How long jobs that ended in the last five minutes had run",
        |queue, _| queue.mean_run_ms.map(seconds),
    ),
    (
        "queue_slots",
        "Jobs at once by the processes that live",
        |queue, _| whole(queue.concurrency),
    ),
    (
        "queue_workers_alive",
        "Processes that work this queue",
        |queue, _| Some(queue.workers.alive as f64),
    ),
    (
        "queue_workers_doubtful",
        "Of its processes, those silent for 30 s",
        |queue, _| Some(queue.workers.doubtful as f64),
    ),
    (
        "queue_workers_lost",
        "Of its processes, those silent for 2 min, of the last day",
        |queue, _| Some(queue.workers.lost as f64),
    ),
    (
        "queue_paused",
        "1 where a pause holds the whole queue",
        |queue, _| Some(f64::from(u8::from(queue.pause.is_some()))),
    ),
    (
        "queue_waiting_bureaus",
        "Bureaus with jobs that wait here",
        |queue, _| whole(queue.bureaus),
    ),
    (
        "queue_waiting_bulk_actions",
        "Bulk actions with tasks that wait here",
        |queue, _| whole(queue.bulk_actions),
    ),
];

const REGISTERS: [Series<RegisterAnswer>; 8] = [
    (
        "register_rate_limit",
        "Calls a second that the setting allows",
        |register, _| Some(f64::from(register.rate_per_second)),
    ),
    (
        "register_rate_allowed",
        "Calls a second that are allowed now",
        |register, _| Some(f64::from(register.allowed_per_second)),
    ),
    (
        "register_recent_calls",
        "Calls of the last five minutes",
        |register, _| whole(register.calls),
    ),
    (
        "register_recent_failures",
        "Of these, those that failed technically",
        |register, _| whole(register.failures),
    ),
    (
        "register_call_mean_seconds",
        "What a call of the last five minutes took",
        |register, _| register.mean_ms.map(seconds),
    ),
    (
        "register_probes",
        "Probes let through since it last stopped answering",
        |register, _| Some(f64::from(register.probes)),
    ),
    (
        "register_waiting_jobs",
        "Jobs that wait for it",
        |register, _| whole(register.waiting.value()),
    ),
    (
        "register_open_seconds",
        "For how long it has not answered, 0 where it does",
        |register, now| {
            let open = register.opened_at.map(|at| (now - at).num_milliseconds());
            Some(seconds(open.unwrap_or(0)))
        },
    ),
];

fn whole(value: i64) -> Option<f64> {
    Some(value as f64)
}

fn of_queues(sheet: &mut Sheet, queues: &[QueueAnswer], now: DateTime<Utc>) {
    for (name, help, of) in QUEUES {
        let rows = queues.iter().filter_map(|queue| {
            let value = of(queue, now)?;
            Some(([("queue", queue.name.as_str())], value))
        });
        sheet.gauges(name, help, rows);
    }
    let help = "1 at the word that the page has for the queue";
    let rows = queues.iter().flat_map(|queue| {
        WORDS.map(|word| {
            let labels = [("queue", queue.name.as_str()), ("state", word)];
            (labels, f64::from(u8::from(queue.state == word)))
        })
    });
    sheet.gauges("queue_state", help, rows);
}

const WORDS: [&str; 6] = [
    "no_workers",
    "register_down",
    "stuck",
    "paused",
    "working",
    "ok",
];

fn of_registers(sheet: &mut Sheet, registers: &[RegisterAnswer], now: DateTime<Utc>) {
    for (name, help, of) in REGISTERS {
        let rows = registers.iter().filter_map(|register| {
            let value = of(register, now)?;
            Some(([("register", register.name.as_str())], value))
        });
        sheet.gauges(name, help, rows);
    }
    let help = "1 at how its breaker stands: closed, it answers; open, it is only tried; recovering, its rate still rises";
    let rows = registers.iter().flat_map(|register| {
        ["closed", "open", "recovering"].map(|state| {
            let labels = [("register", register.name.as_str()), ("state", state)];
            (labels, f64::from(u8::from(register.state == state)))
        })
    });
    sheet.gauges("register_state", help, rows);
}

fn of_workers(sheet: &mut Sheet, workers: &WorkersAnswer) {
    let rows = [
        ("alive", workers.alive),
        ("doubtful", workers.doubtful),
        ("lost", workers.lost),
    ];
    let rows = rows.map(|(state, count)| ([("state", state)], count as f64));
    let help = "Worker processes: alive, silent for 30 s, silent for 2 min and of the last day";
    sheet.gauges("workers", help, rows);
}

fn of_pauses(sheet: &mut Sheet, seen: &Seen<'_>) {
    let help = "Pauses in force";
    sheet.gauge("pauses_in_force", help, seen.pauses.len() as f64);
}
