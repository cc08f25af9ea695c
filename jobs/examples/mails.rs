//! Draws a mail of each kind in both languages into a folder, to be looked at: `cargo run -p jobs --example mails -- FOLDER`
use chrono::{DateTime, TimeDelta, Utc};
use domain::ids::MailId;
use domain::mail::{Addressee, Kind, Letter, Told};
use jobs::mail::{Site, render};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("a folder is missing")?;
    std::fs::create_dir_all(&folder)?;
    let site = Site::new("https://toimik.example.ee")?;
    for (name, kind, told) in samples() {
        for language in ["et", "en"] {
            let letter = Letter {
                id: MailId(1),
                kind,
                message_id: "sample@toimik.example.ee".into(),
                created_at: at(),
                to: Addressee {
                    name: "Mari Näidis".into(),
                    email: Some("mari@example.ee".into()),
                    language: language.into(),
                },
                told: told.clone(),
                was_sent: false,
            };
            let mail = render(&letter, &site).ok_or("facts that cannot be read")?;
            std::fs::write(format!("{folder}/{name}.{language}.html"), &mail.html)?;
            std::fs::write(
                format!("{folder}/{name}.{language}.txt"),
                format!("Subject: {}\n\n{}", mail.subject, mail.text),
            )?;
        }
    }
    Ok(())
}

fn at() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_953_900, 0).unwrap_or_default()
}

fn action(id: i64, status: i16, counts: [i64; 4]) -> Value {
    json!({"id": id, "type": 1 + id % 9, "status": status, "run": 1, "orderedBy": "Mari Näidis", "ok": counts[0], "warning": counts[1],
           "failed": counts[2], "cancelled": counts[3], "startedAt": at() - TimeDelta::seconds(192), "finishedAt": at()})
}

fn import(status: i16, errors: i32, warnings: i32, message: Option<&str>) -> Value {
    json!({"id": 4, "status": status, "fileName": "taavi-väljavõte-2026-11 <lõplik>.csv", "rows": 1_240, "added": 812,
           "updated": 398, "unchanged": 30, "errors": errors, "warnings": warnings, "message": message, "finishedAt": at()})
}

fn samples() -> Vec<(&'static str, Kind, Told)> {
    let alert = json!({"measure": "oldestWaiting", "subject": "register", "value": 14, "threshold": 10, "minutes": 5,
                       "at": at(), "since": at() - TimeDelta::minutes(23), "path": "/queues/register"});
    let ended = |list: &[(i16, i64)]| -> Value {
        list.iter()
            .map(|(status, count)| json!({"status": status, "count": count}))
            .collect()
    };
    let day = json!({"day": "2026-11-28", "bureaus": ["Tallinna täitebüroo"], "bulkActions": ended(&[(2, 14), (3, 1), (5, 3)]),
                     "imports": ended(&[(2, 1)]), "operatorActions": ended(&[(5, 2)]), "failedJobs": 1_312,
                     "errors": [{"key": "e1", "words": "Täitmisregister vastas: isikukood # ei ole registris.", "count": 870},
                                {"key": "e2", "words": "Register ei vastanud õigel ajal.", "count": 410}]});
    let quiet = json!({"day": "2026-11-28", "bureaus": [], "bulkActions": [], "imports": [], "operatorActions": [], "failedJobs": 0,
                       "errors": []});
    let operator = json!({"id": 12, "kind": "retry", "status": 3, "orderedBy": "Arvo Arendaja", "total": 4_018, "done": 3_950,
                          "failed": 41, "skipped": 27, "finishedAt": at()});
    let items = (0..20).map(|n| {
        action(
            n,
            if n < 4 { 3 } else { 2 },
            [100 + n, 0, if n < 4 { 7 } else { 0 }, 0],
        )
    });
    let many = Told::Many {
        total: 9_995,
        by_status: vec![(2, 9_801), (3, 100), (5, 94)],
        items: items.collect(),
    };
    vec![
        (
            "action-ok",
            Kind::BulkAction,
            Told::One(action(2, 2, [2_855, 0, 0, 0])),
        ),
        (
            "action-errors",
            Kind::BulkAction,
            Told::One(action(8, 3, [2_790, 40, 25, 0])),
        ),
        (
            "action-failed",
            Kind::BulkAction,
            Told::One(action(2, 3, [0, 0, 1, 0])),
        ),
        (
            "action-warnings",
            Kind::BulkAction,
            Told::One(action(7, 5, [2_815, 40, 0, 0])),
        ),
        (
            "action-cancelled",
            Kind::BulkAction,
            Told::One(action(8, 4, [12, 0, 0, 2_843])),
        ),
        ("import-ok", Kind::Import, Told::One(import(2, 0, 0, None))),
        (
            "import-warnings",
            Kind::Import,
            Told::One(import(5, 0, 3, None)),
        ),
        (
            "import-failed",
            Kind::Import,
            Told::One(import(3, 12, 3, None)),
        ),
        (
            "import-broken",
            Kind::Import,
            Told::One(import(
                3,
                0,
                0,
                Some("Üleslaaditud faili ei leitud failihoidlast."),
            )),
        ),
        ("operator-action", Kind::OperatorAction, Told::One(operator)),
        ("alert-fired", Kind::AlertFired, Told::One(alert.clone())),
        ("alert-recovered", Kind::AlertRecovered, Told::One(alert)),
        ("day", Kind::DailyDigest, Told::One(day)),
        ("day-quiet", Kind::DailyDigest, Told::One(quiet)),
        ("digest", Kind::BulkAction, many),
    ]
}
