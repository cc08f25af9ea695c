//! The real client against a simulator that behaves: accepted, read back, sent again, refused, switched off.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod common;

use common::{NUMBER, case, case_of, client, envelope, name, rig};
use register_simulator::{Act, Resend, Rule, Settings};
use registers::tarn::Client;
use registers::{Config, Envelope, Kind};

#[tokio::test]
async fn a_case_is_taken_and_its_state_read_back() {
    let (simulator, client) = rig([]).await;
    let sent = envelope();
    let answer = client.sync(&sent, &case()).await.unwrap();
    assert!(!answer.already);
    assert_eq!(answer.exchange.http_status, Some(200));
    assert!(
        answer
            .exchange
            .request
            .contains("<TaitemenetluseNr>101/2024/12<")
    );
    for text in [&answer.exchange.request, &answer.exchange.response] {
        assert!(!text.is_empty() && text.len() <= registers::EXCERPT_BYTES);
        assert!(
            !text.contains("60001019906") && !text.contains("Näidis"),
            "{text}"
        );
    }
    let state = client.state(&envelope(), NUMBER).await.unwrap();
    assert_eq!(
        (state.number.as_str(), state.status, state.balance_cents),
        (NUMBER, 3, Some(104_350))
    );
    assert_eq!(
        (state.opened_on, state.stopped_on, state.closed_on),
        (case().opened_on, case().stopped_on, None)
    );
    assert_eq!(state.last_message_id, Some(sent.message_id));
    assert_eq!(state.statement_number.as_deref(), Some("T-2024-7"));
    let effects = simulator.effects();
    assert_eq!(effects.len(), 1);
    assert_eq!(
        (
            effects[0].message_id,
            effects[0].number.as_str(),
            effects[0].issue.as_str()
        ),
        (sent.message_id, NUMBER, NUMBER)
    );
}

#[tokio::test]
async fn a_resend_under_the_same_id_is_done_and_counts_once() {
    let (simulator, client) = rig([]).await;
    let sent = envelope();
    for already in [false, true, true] {
        assert_eq!(client.sync(&sent, &case()).await.unwrap().already, already);
    }
    simulator.set_settings(Settings {
        resend: Resend::Same,
        ..Settings::default()
    });
    assert!(!client.sync(&sent, &case()).await.unwrap().already);
    let summary = simulator.summary();
    assert_eq!(
        (summary.accepted, summary.repeats, summary.duplicates),
        (1, 3, 0)
    );
    // The same order under another id is what the judge is there to find.
    client.sync(&envelope(), &case()).await.unwrap();
    let summary = simulator.summary();
    assert_eq!(
        (summary.accepted, summary.duplicates, summary.examples.len()),
        (2, 1, 1)
    );
}

#[tokio::test]
async fn an_unknown_proceeding_is_a_refusal() {
    let (_simulator, client) = rig([]).await;
    let error = client.state(&envelope(), "101/2024/404").await.unwrap_err();
    assert!(
        matches!(&error.kind, Kind::Refused { code, .. } if code == "eileitud"),
        "{error:?}"
    );
}

#[tokio::test]
async fn the_state_service_may_be_off_on_either_side() {
    let (simulator, client) = rig([]).await;
    simulator.set_state_service(false);
    let error = client.state(&envelope(), NUMBER).await.unwrap_err();
    assert!(
        matches!(&error.kind, Kind::Permanent { code, .. } if code == "Server.ServerProxy.UnknownService"),
        "{error:?}"
    );
    assert!(client.sync(&envelope(), &case()).await.is_ok());
    let calls = simulator.calls().len();
    let mut config = Config::new(&simulator.url()).unwrap();
    config.tarn_state_service = false;
    let blind = Client::new(&config).unwrap();
    assert!(!blind.offers_state());
    assert_eq!(
        name(&blind.state(&envelope(), NUMBER).await.unwrap_err().kind),
        "permanent"
    );
    assert_eq!(simulator.calls().len(), calls);
}

#[tokio::test]
async fn an_envelope_without_person_or_reason_never_leaves() {
    let (simulator, client) = rig([]).await;
    for bad in [
        Envelope {
            user_id: " ".into(),
            ..envelope()
        },
        Envelope {
            issue: String::new(),
            ..envelope()
        },
    ] {
        let error = client.sync(&bad, &case()).await.unwrap_err();
        assert_eq!(name(&error.kind), "permanent");
        assert!(error.is_known_not_gone());
    }
    assert!(simulator.calls().is_empty());
}

#[tokio::test]
async fn each_tenth_is_refused_and_all_pass_once_the_script_is_gone() {
    let refuse = Act::Refuse {
        code: "vale_olek".into(),
        text: "Täitemenetlus on lõpetatud".into(),
    };
    let (simulator, client) = rig([Rule {
        every: Some(10),
        ..Rule::always(refuse)
    }])
    .await;
    let mut refused = Vec::new();
    for index in 1..=50 {
        let number = format!("101/2024/{index}");
        match client.sync(&envelope(), &case_of(&number)).await {
            Ok(_) => {}
            Err(error) => {
                let expected = Kind::Refused {
                    code: "vale_olek".into(),
                    text: "Täitemenetlus on lõpetatud".into(),
                };
                assert_eq!(error.kind, expected);
                refused.push(number);
            }
        }
    }
    assert_eq!(
        refused,
        [
            "101/2024/10",
            "101/2024/20",
            "101/2024/30",
            "101/2024/40",
            "101/2024/50"
        ]
    );
    simulator.clear_script();
    for number in &refused {
        client.sync(&envelope(), &case_of(number)).await.unwrap();
    }
    let summary = simulator.summary();
    assert_eq!(
        (summary.accepted, summary.numbers, summary.duplicates),
        (50, 50, 0)
    );
}

#[tokio::test]
async fn many_at_once_through_every_misbehaviour_leave_one_effect_each() {
    let rule = |share, act| Rule {
        share: Some(share),
        seed: Some(7),
        operation: Some("TaitemenetluseMuutmineTa".into()),
        ..Rule::always(act)
    };
    let (simulator, _) = rig([
        rule(0.1, Act::Http500),
        Rule {
            accept: Some(true),
            ..rule(0.1, Act::Http500)
        },
        rule(0.1, Act::Garbage),
        rule(0.1, Act::HalfBody),
        rule(0.1, Act::Html200),
        rule(0.1, Act::WrongEcho),
        rule(0.1, Act::Duplicate),
    ])
    .await;
    let client = client(&simulator.url());
    let tasks = (0..200).map(|index| {
        let client = client.clone();
        tokio::spawn(async move {
            let (sent, case) = (envelope(), case_of(&format!("101/2024/{index}")));
            for _ in 0..50 {
                match client.sync(&sent, &case).await {
                    Ok(_) => return,
                    Err(error) => assert!(!error.is_permanent(), "{error:?}"),
                }
            }
            panic!("never taken");
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let summary = simulator.summary();
    assert_eq!(
        (
            summary.accepted,
            summary.numbers,
            summary.duplicates,
            summary.reused_ids
        ),
        (200, 200, 0, 0)
    );
    assert!(summary.repeats > 0);
}
