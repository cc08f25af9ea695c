//! A person's own choices of mail, and the post as operators see it.
use domain::ids::MailId;
use domain::mail::file_path;
use object_store::ObjectStoreExt;
use serde_json::{Value, json};

use crate::site::Site;

fn choice<'a>(body: &'a Value, kind: &str) -> &'a Value {
    let kinds = body["kinds"].as_array().unwrap();
    kinds.iter().find(|one| one["kind"] == kind).unwrap()
}

#[tokio::test]
async fn a_person_chooses_for_himself() {
    let site = Site::new().await;
    let (kt, koda) = (
        site.token("taitur/KT/101").await,
        site.token("koda/koda/koda").await,
    );
    let path = "/v2/mail_preferences";
    let before = site.get(path, &kt).await;
    assert_eq!(before.status, 200, "{}", before.text);
    assert_eq!(before.body["email"], "taitur@naidis.ee");
    let kinds: Vec<_> = before.body["kinds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["kind"].as_str().unwrap(),
                one["wanted"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        kinds,
        [
            ("bulk_action", true),
            ("import", true),
            ("operator_action", true),
            ("alert_fired", false),
            ("alert_recovered", false),
            ("daily_digest", false)
        ]
    );
    let chamber = site.get(path, &koda).await;
    assert_eq!(
        choice(&chamber.body, "alert_fired"),
        &json!({"kind": "alert_fired", "wanted": true, "default": true})
    );

    let saved = site
        .call(
            "PUT",
            path,
            &kt,
            r#"{"kinds":[{"kind":"import","wanted":false},{"kind":"daily_digest","wanted":true}]}"#,
        )
        .await;
    assert_eq!(saved.status, 200, "{}", saved.text);
    assert_eq!(
        choice(&saved.body, "import"),
        &json!({"kind": "import", "wanted": false, "default": true})
    );
    let again = site.get(path, &kt).await;
    assert_eq!(again.body, saved.body);
    assert_eq!(
        site.get(path, &koda).await.body,
        chamber.body,
        "nobody else's"
    );
    let audited: i64 =
        sqlx::query_scalar("select count(*) from audit where object_class = 'MailPreference'")
            .fetch_one(&site.admin)
            .await
            .unwrap();
    assert_eq!(audited, 2);
    // What is so already is not written again.
    site.call(
        "PUT",
        path,
        &kt,
        r#"{"kinds":[{"kind":"import","wanted":false}]}"#,
    )
    .await;
    assert_eq!(site.audited("update").await, 2);

    for (body, sketch) in [
        (
            r#"{"kinds":[{"kind":"spam","wanted":true}]}"#,
            "422 kinds[0].kind",
        ),
        (
            r#"{"kinds":[{"kind":"import","wanted":true},{"kind":"import","wanted":false}]}"#,
            "422 kinds[1].kind",
        ),
        (
            r#"{"kinds":[{"kind":"import","wanted":"yes"}]}"#,
            "422 kinds[0].wanted",
        ),
        (
            r#"{"kinds":[{"kind":"import","wanted":true,"user_id":1}]}"#,
            "422 kinds[0].user_id",
        ),
        (r#"{"email":"x@y.ee","kinds":[]}"#, "422 email"),
    ] {
        assert_eq!(
            site.call("PUT", path, &kt, body).await.sketch(),
            sketch,
            "{body}"
        );
    }
    assert_eq!(site.get(path, &kt).await.body, saved.body);
    sqlx::query("update users set email = ' ' where username = 'taitur'")
        .execute(&site.admin)
        .await
        .unwrap();
    assert_eq!(site.get(path, &kt).await.body["email"], Value::Null);
}

const MAIL: &str = "Message-ID: <a@example.ee>\r\nFrom: toimik@example.ee\r\nTo: \"Taitur\" <taitur@naidis.ee>\r\nSubject: =?utf-8?q?P=C3=A4ev?=\r\n\
MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=\"x\"\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nTere, õu!\r\n\
--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Tere, õu!</p>\r\n--x--\r\n";

#[tokio::test]
async fn operators_read_the_post() {
    let site = Site::new().await;
    let dev = site.token("arendaja/dev/koda").await;
    let ids: Vec<i64> = sqlx::query_scalar(
        "with job as (
           insert into jobs (tenant_id, queue, kind, state, runs, output)
           select $1, 'mail', 'SendMail', state::job_state, 2, 'Meiliserver vastas 550: no'
           from unnest(array['ok', 'failed', 'queued', 'cancelled']) state returning id, state
         )
         insert into mails (user_id, kind, message_id, notices, facts, job_id, created_at, sent_at, subject)
         select $2, 'import', id || '@example.ee', 1, '{}', id, now(), case when state = 'ok' then now() end, case when state = 'ok' then 'Päev' end
         from job order by id returning id",
    )
    .bind(site.id("bureau101"))
    .bind(site.id("taitur"))
    .fetch_all(&site.admin)
    .await
    .unwrap();
    let list = site.get("/v2/mails?limit=3", &dev).await;
    assert_eq!(list.status, 200, "{}", list.text);
    assert_eq!(
        (
            &list.body["totalItems"],
            list.body["member"].as_array().unwrap().len()
        ),
        (&json!(4), 3)
    );
    let states: Vec<_> = list.body["member"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mail| (mail["state"].as_str().unwrap(), mail["error"].as_str()))
        .collect();
    assert_eq!(
        states,
        [
            ("cancelled", None),
            ("waiting", None),
            ("failed", Some("Meiliserver vastas 550: no"))
        ]
    );
    let last = site.get("/v2/mails?limit=3&page=2", &dev).await;
    let sent = &last.body["member"][0];
    assert_eq!(
        (
            &sent["state"],
            &sent["subject"],
            &sent["email"],
            &sent["to"]["name"],
            &sent["attempts"]
        ),
        (
            &json!("sent"),
            &json!("Päev"),
            &json!("taitur@naidis.ee"),
            &json!("TAITUR"),
            &json!(2)
        )
    );

    let path = format!("/v2/mails/{}", ids[0]);
    assert_eq!(
        site.get(&path, &dev).await.body["content"],
        Value::Null,
        "it went to a server"
    );
    site.app
        .store
        .put(&file_path(MailId(ids[0])), MAIL.into())
        .await
        .unwrap();
    let whole = site.get(&path, &dev).await;
    let content = &whole.body["content"];
    assert_eq!(
        (&content["text"], &content["html"]),
        (&json!("Tere, õu!"), &json!("<p>Tere, õu!</p>")),
        "{}",
        whole.text
    );
    assert_eq!(
        content["headers"][0],
        json!({"name": "Message-ID", "value": "<a@example.ee>"})
    );
    assert_eq!(site.get("/v2/mails/900000000", &dev).await.status, 404);
    assert_eq!(
        site.get("/v2/mails?page=0", &dev).await.sketch(),
        "422 page"
    );
    for who in ["taitur/KT/101", "koda/koda/koda"] {
        let token = site.token(who).await;
        assert_eq!(site.get(&path, &token).await.status, 403);
        assert_eq!(site.get("/v2/mails", &token).await.status, 403);
    }
}
