//! To a real SMTP server that refuses, delays, stalls, hangs up, and asks for TLS and a password.
use std::time::Duration;

use domain::mail::Kind;
use jobs::mail::Server;
use mail_parser::HeaderValue;
use serde_json::json;

use crate::server::{Smtp, parsed};
use crate::stack::{Stack, action};

fn plain(server: &Smtp) -> Server {
    Server {
        timeout: Duration::from_secs(2),
        ..Server::parse(&format!("smtp://127.0.0.1:{}", server.port), "", "").unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_arrives_as_text_and_html_in_the_reader_s_language() {
    let mut smtp = Smtp::start(&[]).await;
    let mut stack = Stack::new().await;
    stack.start(Some(plain(&smtp)));
    let mari = stack
        .person("Mari Näidis", Some("mari@example.ee"), "et")
        .await;
    stack.tell(mari, Kind::BulkAction, 1, action()).await;
    let event = smtp.next("mail").await;
    assert_eq!(
        (&event["to"], &event["sender"]),
        (&json!(["mari@example.ee"]), &json!("toimik@example.ee"))
    );
    let mail = parsed(event["content"].as_str().unwrap());
    assert_eq!(
        mail.subject(),
        Some("Masstegevus lõppes vigadega: Arvuta uus põhitasu, ebaõnnestus 25\u{a0}toimikut")
    );
    let (text, html) = (mail.body_text(0).unwrap(), mail.body_html(0).unwrap());
    assert!(
        text.contains("Toimikuid kokku: 2\u{a0}855")
            && text.contains("https://toimik.example.ee/bulk_actions/7"),
        "{text}"
    );
    assert!(text.contains("Mari <b>Näidis</b>"), "{text}");
    assert!(
        html.contains("href=\"https://toimik.example.ee/bulk_actions/7\"")
            && html.contains("lang=\"et\""),
        "{html}"
    );
    assert!(
        !html.contains("<b>") && html.contains("N\u{e4}idis"),
        "what others wrote is text: {html}"
    );
    assert!(
        matches!(mail.header("Auto-Submitted"), Some(HeaderValue::Text(value)) if value == "auto-generated")
    );
    let id: String = sqlx::query_scalar("select message_id from mails")
        .fetch_one(&stack.admin)
        .await
        .unwrap();
    assert!(id.ends_with("@example.ee"), "{id}");
    assert_eq!(mail.message_id(), Some(id.as_str()));
    assert_eq!(
        mail.to().unwrap().first().unwrap().name(),
        Some("Mari Näidis")
    );
    assert_eq!(stack.ended(mari).await, ("ok".into(), "Saadetud.".into()));
    let kept: (Option<String>, bool) =
        sqlx::query_as("select subject, sent_at is not null from mails")
            .fetch_one(&stack.admin)
            .await
            .unwrap();
    assert_eq!((kept.0.as_deref(), kept.1), (mail.subject(), true));

    let john = stack.person("John", Some("john@example.ee"), "en").await;
    stack.tell(john, Kind::BulkAction, 1, action()).await;
    let event = smtp.next("mail").await;
    let mail = parsed(event["content"].as_str().unwrap());
    assert_eq!(
        mail.subject(),
        Some("Bulk action ended with errors: Compute a new issuer fee, failed in 25\u{a0}cases")
    );
    stack.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_is_final_and_delayed_is_not() {
    let mut smtp = Smtp::start(&[]).await;
    let mut stack = Stack::new().await;
    stack.start(Some(plain(&smtp)));
    let refused = stack
        .person("Refused", Some("refuse@example.ee"), "et")
        .await;
    stack.tell(refused, Kind::BulkAction, 1, action()).await;
    let (state, said) = stack.ended(refused).await;
    assert_eq!(
        (state.as_str(), said.as_str()),
        ("failed", "Meiliserver vastas 550: 5.1.1 … no such person")
    );
    assert_eq!(
        stack.attempts("SendMail").await,
        [("failed".to_owned(), Some("smtp_550".to_owned()))]
    );

    let grey = stack
        .person("Grey", Some("greylist@example.ee"), "et")
        .await;
    stack.tell(grey, Kind::BulkAction, 1, action()).await;
    assert_eq!(stack.ended(grey).await.0, "ok");
    let runs = stack.attempts("SendMail").await;
    assert_eq!(
        runs[1..],
        [
            ("retry".to_owned(), Some("smtp_451".to_owned())),
            ("ok".to_owned(), None)
        ]
    );
    let event = smtp.next("mail").await;
    assert_eq!(
        event["to"],
        json!(["greylist@example.ee"]),
        "nothing went to who refused"
    );
    stack.stop().await;
}

/// A server that keeps the mail and never says so: it comes again, and a reader's program sees it as one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_perhaps_taken_comes_again_under_the_same_id() {
    for (name, code) in [("cut", "mail_connection"), ("slow", "mail_timeout")] {
        let mut smtp = Smtp::start(&[]).await;
        let mut stack = Stack::new().await;
        stack.start(Some(plain(&smtp)));
        let user = stack
            .person(name, Some(&format!("{name}@example.ee")), "et")
            .await;
        stack.tell(user, Kind::BulkAction, 1, action()).await;
        assert_eq!(stack.ended(user).await.0, "ok");
        let (first, second) = (smtp.next("mail").await, smtp.next("mail").await);
        let (first, second) = (
            parsed(first["content"].as_str().unwrap()),
            parsed(second["content"].as_str().unwrap()),
        );
        assert!(first.message_id().is_some());
        assert_eq!(first.message_id(), second.message_id());
        assert_eq!(first.date(), second.date());
        let runs = stack.attempts("SendMail").await;
        assert_eq!(
            runs,
            [
                ("retry".to_owned(), Some(code.to_owned())),
                ("ok".to_owned(), None)
            ]
        );
        stack.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_away_is_waited_for_and_two_days_are_enough() {
    let closed = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap().port()
    };
    let mut stack = Stack::new().await;
    let young = stack.person("Young", Some("young@example.ee"), "et").await;
    stack.tell(young, Kind::BulkAction, 1, action()).await;
    stack.post().await;
    sqlx::query("update jobs set created_at = created_at - interval '47 hours'")
        .execute(&stack.admin)
        .await
        .unwrap();
    stack.start(Some(
        Server::parse(&format!("smtp://127.0.0.1:{closed}"), "", "").unwrap(),
    ));
    let runs = stack.saw("SendMail", "retry").await;
    assert_eq!(runs[0].1.as_deref(), Some("mail_connection"));
    sqlx::query("update jobs set created_at = created_at - interval '1 hour'")
        .execute(&stack.admin)
        .await
        .unwrap();
    let (state, said) = stack.ended(young).await;
    assert_eq!(
        (state.as_str(), said.as_str()),
        ("failed", "Ühendus meiliserveriga katkes või ei tekkinud.")
    );
    stack.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_no_address_is_not_written_to() {
    let mut smtp = Smtp::start(&[]).await;
    let mut stack = Stack::new().await;
    stack.start(Some(plain(&smtp)));
    for (email, state, said) in [
        (
            None,
            "warning",
            "Saajal ei ole e-posti aadressi või rolli selles büroos.",
        ),
        (
            Some("  "),
            "warning",
            "Saajal ei ole e-posti aadressi või rolli selles büroos.",
        ),
        (
            Some("mari@"),
            "failed",
            "Saaja e-posti aadress ei ole korrektne.",
        ),
        (
            Some("a@x.ee\r\nRCPT TO:<b@x.ee>"),
            "failed",
            "Saaja e-posti aadress ei ole korrektne.",
        ),
    ] {
        let user = stack.person(&format!("P{email:?}"), email, "et").await;
        stack.tell(user, Kind::BulkAction, 1, action()).await;
        assert_eq!(
            stack.ended(user).await,
            (state.to_owned(), said.to_owned()),
            "{email:?}"
        );
    }
    // The server heard of none of them.
    let last = stack.person("Last", Some("last@example.ee"), "et").await;
    stack.tell(last, Kind::BulkAction, 1, action()).await;
    assert_eq!(smtp.next("rcpt").await["to"], "last@example.ee");
    stack.stop().await;
}

/// What others wrote (a file's name, a rule's) changes neither headers nor markup.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_names_stay_names() {
    let mut smtp = Smtp::start(&[]).await;
    let mut stack = Stack::new().await;
    stack.start(Some(plain(&smtp)));
    let mari = stack
        .person(
            "Mari\r\nBcc: evil@example.ee",
            Some("mari@example.ee"),
            "et",
        )
        .await;
    let rule = "x\r\nBcc: evil@example.ee\r\n\r\n<script>alert(1)</script>\u{202e}";
    let facts = json!({"measure": "breakerOpen", "subject": rule, "bureau": "<img src=x onerror=alert(1)>", "value": 1, "threshold": 0, "minutes": 0, "at": "2026-11-29T12:05:00Z", "path": "//evil.example.ee/x"});
    stack.tell(mari, Kind::Import, 1, json!({"id": 1, "status": 3, "fileName": rule, "rows": 1, "added": 0, "updated": 0,
        "unchanged": 0, "errors": 1, "warnings": 0, "message": rule, "finishedAt": "2026-11-29T12:05:00Z"})).await;
    sqlx::query(
        "insert into mail_preferences (user_id, kind, wanted) values ($1, 'alert_fired', true)",
    )
    .bind(mari.0)
    .execute(&stack.admin)
    .await
    .unwrap();
    stack.tell(mari, Kind::AlertFired, 1, facts).await;
    for _ in 0..2 {
        let event = smtp.next("mail").await;
        assert_eq!(event["to"], json!(["mari@example.ee"]));
        let mail = parsed(event["content"].as_str().unwrap());
        assert!(mail.header("Bcc").is_none());
        let (subject, html) = (mail.subject().unwrap(), mail.body_html(0).unwrap());
        assert!(
            subject.contains("Bcc: evil@example.ee <script>") && !subject.contains('\u{202e}'),
            "{subject}"
        );
        assert!(
            !html.contains("<script") && !html.contains("<img") && html.contains("&#60;script"),
            "{html}"
        );
        assert!(
            !html.contains("evil.example.ee/x"),
            "only our own pages are linked"
        );
    }
    stack.stop().await;
}

const CERTIFICATE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../registers/tests/tls/server-identity.pem"
);
const ROOT: &[u8] = include_bytes!("../../../registers/tests/tls/ca.pem");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn starttls_and_a_password() {
    let mut smtp = Smtp::start(&["--cert", CERTIFICATE, "--auth", "toimik:õige parool"]).await;
    let mut stack = Stack::new().await;
    let mari = stack.person("Mari", Some("mari@example.ee"), "et").await;
    let url = format!("smtp://127.0.0.1:{}?tls=required", smtp.port);
    stack.start(Some(Server {
        roots: Some(ROOT.to_vec()),
        ..Server::parse(&url, "toimik", "õige parool").unwrap()
    }));
    stack.tell(mari, Kind::BulkAction, 1, action()).await;
    let event = smtp.next("mail").await;
    assert_eq!(event["tls"], true);
    assert_eq!(stack.ended(mari).await.0, "ok");
    stack.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tls_from_the_first_byte() {
    let mut smtp = Smtp::start(&["--cert", CERTIFICATE, "--smtps"]).await;
    let mut stack = Stack::new().await;
    let mari = stack.person("Mari", Some("mari@example.ee"), "et").await;
    let url = format!("smtps://127.0.0.1:{}", smtp.port);
    stack.start(Some(Server {
        roots: Some(ROOT.to_vec()),
        ..Server::parse(&url, "", "").unwrap()
    }));
    stack.tell(mari, Kind::BulkAction, 1, action()).await;
    assert_eq!(smtp.next("mail").await["to"], json!(["mari@example.ee"]));
    assert_eq!(stack.ended(mari).await.0, "ok");
    stack.stop().await;
}

/// Nothing is said to a server that cannot show who it is; a wrong password is ours to mend, so the mail waits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stranger_gets_nothing_and_a_wrong_password_waits() {
    for (roots, password, code) in [
        (None, "õige", "mail_connection"),
        (Some(ROOT.to_vec()), "vale", "smtp_535"),
    ] {
        let mut smtp = Smtp::start(&["--cert", CERTIFICATE, "--auth", "toimik:õige"]).await;
        let mut stack = Stack::new().await;
        let mari = stack.person("Mari", Some("mari@example.ee"), "et").await;
        let url = format!("smtp://127.0.0.1:{}?tls=required", smtp.port);
        stack.start(Some(Server {
            roots,
            ..Server::parse(&url, "toimik", password).unwrap()
        }));
        stack.tell(mari, Kind::BulkAction, 1, action()).await;
        let runs = stack.saw("SendMail", "retry").await;
        assert_eq!(runs[0], ("retry".to_owned(), Some(code.to_owned())));
        stack.stop().await;
        if code == "smtp_535" {
            assert_eq!(smtp.next("auth").await["fits"], false);
        }
    }
}

/// A server without STARTTLS gets no mail that was to be secured.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_to_be_secured_does_not_go_in_plain_text() {
    let smtp = Smtp::start(&[]).await;
    let mut stack = Stack::new().await;
    let mari = stack.person("Mari", Some("mari@example.ee"), "et").await;
    let url = format!("smtp://127.0.0.1:{}?tls=required", smtp.port);
    stack.start(Some(Server::parse(&url, "", "").unwrap()));
    stack.tell(mari, Kind::BulkAction, 1, action()).await;
    let runs = stack.saw("SendMail", "retry").await;
    assert_eq!(runs[0].1.as_deref(), Some("mail_server"));
    stack.stop().await;
}
