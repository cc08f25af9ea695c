//! The same cases in every encoding, delimiter, line end and kind of file; and faulty files against their expected list.
use domain::imports::Source;

use super::support::{World, errors, made, made_bad};

#[tokio::test(flavor = "multi_thread")]
async fn every_spelling_of_taavi_reads_the_same() {
    every_spelling(Source::Taavi).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_spelling_of_etaitur_reads_the_same() {
    every_spelling(Source::Etaitur).await;
}

async fn every_spelling(source: Source) {
    let world = World::new().await;
    let (import, _) = world.import(Source::Taavi, &made(&["--rows", "40"])).await;
    assert_eq!((import.status, import.added), (2, 40));
    for encoding in ["utf-8-sig", "utf-8", "windows-1257", "utf-16"] {
        for delimiter in [";", ",", "tab"] {
            for line_end in ["crlf", "lf", "mixed"] {
                let file = made(&[
                    "--rows",
                    "40",
                    "--type",
                    source.as_str(),
                    "--encoding",
                    encoding,
                    "--delimiter",
                    delimiter,
                    "--line-end",
                    line_end,
                ]);
                let (import, found) = world.import(source, &file).await;
                let what = (source, encoding, delimiter, line_end);
                assert_eq!(found, vec![], "{what:?}");
                // Whatever its spelling, a row that was imported is the row that was imported.
                assert_eq!(
                    (import.status, import.rows, import.unchanged),
                    (2, Some(40), 40),
                    "{what:?}"
                );
            }
        }
    }
    world.check().await;
    assert_eq!(
        world
            .count("select count(*) from people where name like '%?%' or name like '%\u{fffd}%'")
            .await,
        0
    );
    assert!(
        world
            .count("select count(*) from people where name ~ '[ÕÄÖÜŠŽõäöüšž]'")
            .await
            > 5
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn faulty_files_give_exactly_the_expected_list() {
    let world = World::new().await;
    for (source, encoding, seed) in [
        (Source::Taavi, "utf-8-sig", "1"),
        (Source::Taavi, "windows-1257", "2"),
        (Source::Etaitur, "utf-16", "3"),
        (Source::Etaitur, "utf-8", "4"),
    ] {
        let (file, expected) = made_bad(&[
            "--rows",
            "1000",
            "--bad",
            "0.2",
            "--type",
            source.as_str(),
            "--encoding",
            encoding,
            "--seed",
            seed,
        ]);
        let (import, found) = world.import(source, &file).await;
        assert_eq!(errors(&found), expected);
        assert!(found.iter().all(|f| !f.message.is_empty()));
        let counts = (import.status, import.rows, import.error_count, import.added);
        assert_eq!(counts, (3, Some(1000), expected.len() as i32, 0));
        let exponents = found.iter().filter(|f| f.message.contains("E+")).count();
        assert!(exponents > 5, "{exponents}");
    }
    assert_eq!(world.footprint().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_writes_whole_cases() {
    let world = World::new().await;
    let file = made(&["--rows", "700"]);
    let (import, _) = world.import(Source::Taavi, &file).await;
    assert_eq!(
        (
            import.status,
            import.percent,
            import.added,
            import.error_count
        ),
        (2, 100, 700, 0)
    );
    world.check().await;
    for (wanted, sql) in [
        (700, "select count(*) from cases where state = 'unmigrated' and import_version = version and length(import_row) = 32"),
        (700, "select count(*) from cases c join classifier_values v on v.id = c.country_id where v.name = 'Eesti'"),
        (0, "select count(*) from cases where status not in (0, 1, 2, 3, 6)"),
        (0, "select count(*) from cases where status in (1, 2, 6) and (date_closed is null or close_basis_id is null)"),
        (0, "select count(*) from cases where status = 3 and (stop_start_date is null or stop_basis_id is null)"),
        (700, "select count(*) from claims where main_claim and type = 0 and status = 0"),
        (700, "select count(*) from case_solutions where decision_date is not null and resolver is not null"),
        (700, "select count(*) from audit where action = 'create' and object_class = 'EnforcementCase' and case_id is not null
               and username = 'import-test' and role = 'KT' and request_id = 'request-1' and job_id is not null"),
        (7, "select count(*) from case_counters where prefix = 101 and last_index = 100"),
        (0, "select count(*) from people where type = 1 and (date_birth is null or gender is null or name_last is null)"),
        (0, "select count(*) from (select person_id from bank_accounts group by 1 having count(*) filter (where is_main) <> 1) x"),
        (0, "select count(*) from cases where reference_no is null"),
    ] {
        assert_eq!(world.count(sql).await, wanted, "{sql}");
    }
    // Maintenance: one claim for the arrears and one that falls due each period.
    let maintenance = world
        .count("select count(*) from claims k join claim_types t on t.id = k.claim_type_id where t.maintenance and k.type = 0")
        .await;
    let periodical = world.count("select count(*) from claims where type = 2 and main_claim and sum_periodical_cents = 29200").await;
    assert!(
        maintenance > 30 && maintenance == periodical,
        "{maintenance} {periodical}"
    );
    assert!(world.count("select count(*) from surcharges s join claims k on k.id = s.claim_id and k.type = 0").await > 200);
    // Money that came in goes to the start fee first and to the issuer fee last.
    let out_of_order = "select count(*) from cases c join claims k on k.case_id = c.id and k.type = 0
                        where (c.issuer_fee_cents < c.issuer_fee_initial_cents and k.sum_charged_cents > 0)
                           or (k.sum_charged_cents < k.sum_full_cents and c.start_fee_cents > 0)";
    assert_eq!(world.count(out_of_order).await, 0);
    assert!(
        world
            .count("select count(*) from cases where sum_received_cents > 0")
            .await
            > 100
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_time_all_is_unchanged() {
    let world = World::new().await;
    let file = made(&["--rows", "300"]);
    world.import(Source::Taavi, &file).await;
    let before = world.footprint().await;
    let (import, found) = world.import(Source::Taavi, &file).await;
    assert_eq!(
        (
            import.status,
            import.added,
            import.updated,
            import.unchanged
        ),
        (2, 0, 0, 300)
    );
    assert_eq!(found, vec![]);
    assert_eq!(world.footprint().await, before);
}
