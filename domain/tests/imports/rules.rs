//! What becomes of rows that meet cases and people already there.
use domain::imports::Source;

use super::support::{World, errors, line, small, warnings};

const NUMBER: &str = "Toimiku number";

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_row_updates_an_untouched_case() {
    let world = World::new().await;
    let (one, two) = (line(1), line(2));
    world.import(Source::Taavi, &small("", &[&one, &two])).await;
    let dearer = one.replace("100,00", "250,00");
    let (import, found) = world
        .import(Source::Taavi, &small("", &[&dearer, &two]))
        .await;
    assert_eq!(found, vec![]);
    assert_eq!(
        (
            import.status,
            import.added,
            import.updated,
            import.unchanged
        ),
        (2, 0, 1, 1)
    );
    world.check().await;
    assert_eq!(
        world
            .count("select count(*) from cases where version = 2 and import_version = 2")
            .await,
        1
    );
    assert_eq!(
        world
            .count("select sum(sum_full_cents)::bigint from claims")
            .await,
        35_000
    );
    assert_eq!(world.count("select count(*) from claims").await, 2);
    assert_eq!(
        world.count("select count(*) from audit where action = 'update' and before is not null and version = 2").await,
        1
    );
    // And back again: the case was touched by imports only.
    let (import, _) = world.import(Source::Taavi, &small("", &[&one, &two])).await;
    assert_eq!((import.updated, import.unchanged), (1, 1));
    world.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_touched_case_is_never_written_over() {
    let world = World::new().await;
    world
        .import(Source::Taavi, &small("", &[&line(1), &line(2)]))
        .await;
    sqlx::query("update cases set version = version + 1, payment_desc = 'käsitsi' where index = 1")
        .execute(&world.admin)
        .await
        .unwrap();
    let before = world.footprint().await;
    let changed = [
        line(1).replace("100,00", "1,00"),
        line(2).replace("100,00", "2,00"),
        line(3),
    ];
    let file = small("", &changed.each_ref().map(String::as_str));
    let (import, found) = world.import(Source::Taavi, &file).await;
    assert_eq!(errors(&found), [(2, NUMBER.to_owned())]);
    assert!(
        found[0]
            .message
            .contains("toimikut on pärast importi muudetud")
    );
    assert_eq!(found[0].case_number.as_deref(), Some("101/2024/1"));
    assert_eq!(
        (
            import.status,
            import.error_count,
            import.added,
            import.updated
        ),
        (3, 1, 0, 0)
    );
    assert_eq!(world.footprint().await, before);
    assert_eq!(
        world
            .count("select sum(sum_full_cents)::bigint from claims")
            .await,
        20_000
    );
    // An equal row is no reason to complain.
    let (import, found) = world
        .import(Source::Taavi, &small("", &[&line(1), &line(2)]))
        .await;
    assert_eq!((import.status, import.unchanged, found), (2, 2, vec![]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_case_made_by_hand_is_not_written_over() {
    let world = World::new().await;
    world.import(Source::Taavi, &small("", &[&line(1)])).await;
    sqlx::query("update cases set import_row = null, import_version = null, import_id = null")
        .execute(&world.admin)
        .await
        .unwrap();
    let (_, found) = world.import(Source::Taavi, &small("", &[&line(1)])).await;
    assert_eq!(errors(&found), [(2, NUMBER.to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_of_other_bureaus_are_refused() {
    let world = World::new().await;
    let foreign = line(1).replace("101/", "102/");
    let (_, found) = world
        .import(Source::Taavi, &small("", &[&foreign, &line(2)]))
        .await;
    assert_eq!(errors(&found), [(2, NUMBER.to_owned())]);
    assert!(found[0].message.contains("101"));
    // A number of ours that lives in another bureau after a transfer: out of sight, and taken all the same.
    world.import(Source::Taavi, &small("", &[&line(1)])).await;
    for table in ["people", "cases"] {
        let text = if table == "people" {
            "insert into people (tenant_id, type, name) select id, 1, 'Uus' from bureaus where code = '102'"
        } else {
            "with p as (select id, tenant_id from people where name = 'Uus')
             update cases set tenant_id = p.tenant_id, claimant_id = p.id, debtor_id = p.id from p"
        };
        sqlx::query(text).execute(&world.admin).await.unwrap();
    }
    let before = world.footprint().await;
    let (import, found) = world
        .import(Source::Taavi, &small("", &[&line(3), &line(1)]))
        .await;
    assert_eq!(errors(&found), [(3, NUMBER.to_owned())]);
    assert_eq!(import.status, 3);
    assert_eq!(world.footprint().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_name_for_a_known_code_is_a_warning() {
    let world = World::new().await;
    let renamed = line(2).replace("Aino Näidis", "Aino Uus");
    let (import, found) = world
        .import(Source::Taavi, &small("", &[&line(1), &renamed]))
        .await;
    assert_eq!(warnings(&found), [(3, "Võlgniku nimi".to_owned())]);
    assert!(found[0].message.contains("Aino Näidis"));
    assert_eq!(
        (import.status, import.added, import.warning_count),
        (5, 2, 1)
    );
    let third = line(3)
        .replace("Aino Näidis", "AINO näidis")
        .replace("Näidis OÜ", "Teine OÜ");
    let (import, found) = world.import(Source::Taavi, &small("", &[&third])).await;
    assert_eq!(warnings(&found), [(2, "Sissenõudja nimi".to_owned())]);
    assert_eq!((import.status, import.added), (5, 1));
    assert_eq!(world.count("select count(*) from people").await, 2);
    assert_eq!(
        world
            .count("select count(*) from people where name in ('Aino Näidis', 'Näidis OÜ')")
            .await,
        2
    );
    world.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_and_addresses_are_added_never_replaced() {
    let world = World::new().await;
    let titles = ";Võlgniku konto;Võlgniku aadress";
    let first = format!("{};EE10 2200 0000 0000 0013;Näidise tee 1", line(1));
    let second = format!("{};EE131000000000000013;Teine tee 2", line(2));
    world.import(Source::Taavi, &small(titles, &[&first])).await;
    let (import, _) = world
        .import(Source::Taavi, &small(titles, &[&first, &second]))
        .await;
    assert_eq!((import.status, import.added, import.unchanged), (2, 1, 1));
    assert_eq!(world.count("select count(*) from bank_accounts").await, 2);
    assert_eq!(
        world.count("select count(*) from bank_accounts a join banks b on b.id = a.bank_id where is_main and account_no = 'EE102200000000000013'").await,
        1
    );
    assert_eq!(
        world
            .count("select count(*) from addresses where address = 'Näidise tee 1'")
            .await,
        1
    );
    assert_eq!(world.count("select count(*) from addresses").await, 1);
    world.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_without_a_code_stays_with_the_case() {
    let world = World::new().await;
    let nameless = line(1).replace(";60001019906;", ";;");
    let (import, found) = world.import(Source::Taavi, &small("", &[&nameless])).await;
    assert_eq!(warnings(&found), [(2, "Võlgniku kood".to_owned())]);
    assert_eq!((import.status, import.added), (5, 1));
    let dearer = nameless.replace("100,00", "5,00");
    let (import, _) = world.import(Source::Taavi, &small("", &[&dearer])).await;
    assert_eq!(
        (
            import.updated,
            world.count("select count(*) from people").await
        ),
        (1, 2)
    );
    world.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_check_digits_only_warn() {
    let world = World::new().await;
    let titles = ";Viitenumber;Võlgniku konto";
    let wrong = line(1)
        .replace("60001019906", "60001019907")
        .replace("90000009", "90000001");
    let wrong = format!("{wrong};121312953;EE392200221020145685");
    let (import, found) = world.import(Source::Taavi, &small(titles, &[&wrong])).await;
    assert_eq!(errors(&found), []);
    assert_eq!(
        (import.status, import.added, import.warning_count),
        (5, 1, 4)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn each_wrong_cell_is_named() {
    let world = World::new().await;
    let titles = ";Viitenumber;Laekunud;Lahendi kuupäev;Võlgniku konto";
    let good = |index: u32| {
        format!(
            "{};121312952;10,00;01.01.2020;EE382200221020145685",
            line(index)
        )
    };
    for (from, to, column) in [
        ("101/2024/1", "101/2024/", NUMBER),
        ("101/2024/1", "", NUMBER),
        ("101/2024/1", "1,01E+10", NUMBER),
        ("05.01.2024", "", "Avamise kuupäev"),
        ("05.01.2024", "45296", "Avamise kuupäev"),
        ("Menetluses", "Tagasi lükatud", "Staatus"),
        ("Eraisik", "Inimene", "Võlgniku liik"),
        ("Aino Näidis", "A\u{0}ino", "Võlgniku nimi"),
        ("60001019906", "6000101990", "Võlgniku kood"),
        ("60001019906", "6,0001E+10", "Võlgniku kood"),
        ("90000009", "9000000X", "Sissenõudja kood"),
        ("Võlanõue", "Tundmatu nõue", "Nõude liik"),
        ("100,00", "-100,00", "Põhinõue"),
        ("100,00", "99999999999999", "Põhinõue"),
        ("100,00", "", "Põhinõue"),
        ("121312952", "1", "Viitenumber"),
        ("121312952", "1,2E+8", "Viitenumber"),
        ("10,00;01", "100,01;01", "Laekunud"),
        ("01.01.2020", "01.01.1820", "Lahendi kuupäev"),
        ("EE382200221020145685", "EE3822", "Võlgniku konto"),
        ("Menetluses", "Lõpetatud", "Lõpetamise kuupäev"),
    ] {
        let (_, found) = world
            .import(
                Source::Taavi,
                &small(titles, &[&good(1).replacen(from, to, 1)]),
            )
            .await;
        let found = errors(&found);
        assert_eq!(
            found.first(),
            Some(&(2, column.to_owned())),
            "{from} → {to}"
        );
        assert_eq!(
            found.len(),
            if to == "Lõpetatud" { 2 } else { 1 },
            "{from} → {to}: {found:?}"
        );
    }
    assert_eq!(world.footprint().await, 0);
    let (import, found) = world
        .import(Source::Taavi, &small(titles, &[&good(1)]))
        .await;
    assert_eq!((import.added, found), (1, vec![]));
}
