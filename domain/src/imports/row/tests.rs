//! Rows that say the same in other words, and what each of them holds.
use super::super::csv::Rows;
use super::super::header::Source;
use super::*;

fn known() -> Known {
    let by_name = |pairs: &[(&str, i64)]| {
        pairs
            .iter()
            .map(|(name, id)| ((*name).to_owned(), *id))
            .collect()
    };
    Known {
        prefix: 101,
        claim_types: [("võlanõue", (1, false)), ("elatis", (2, true))]
            .map(|(name, kind)| (name.to_owned(), kind))
            .into(),
        close_bases: by_name(&[("aegumine", 5)]),
        stop_bases: by_name(&[("kohtu määrus", 6)]),
        banks: by_name(&[("22", 7)]),
        country: Some(8),
        receipts_order: None,
    }
}

fn read_all(titles: &[Field], lines: &[&str]) -> (Vec<Row>, Issues) {
    let known = known();
    let header: Vec<&str> = titles.iter().map(|f| f.title(Source::Taavi)).collect();
    let text = format!("{}\n{}\n", header.join(";"), lines.join("\n"));
    let (mut issues, mut layout, mut out) = (Issues::default(), None, Vec::new());
    let mut rows = Rows::default();
    rows.push(&text, |row, record| match &layout {
        None => layout = Layout::read(Source::Taavi, row, record, &mut issues),
        Some(layout) => out.push(read(row, record, layout, &known, &mut issues)),
    })
    .unwrap();
    (out, issues)
}

const TITLES: [Field; 14] = [
    Field::Number,
    Field::Opened,
    Field::Status,
    Field::ClaimantType,
    Field::ClaimantName,
    Field::ClaimantCode,
    Field::DebtorType,
    Field::DebtorName,
    Field::DebtorCode,
    Field::ClaimType,
    Field::Claim,
    Field::Received,
    Field::DebtorIban,
    Field::Reference,
];
const LINE: &str = "101/2024/7;05.01.2024;Menetluses;Juriidiline isik;Õie OÜ;90000009;Eraisik;Aino Näidis;60001019906;Võlanõue;\
                    1234,56;1000,00;EE382200221020145685;121312952";

#[test]
fn reads_every_value() {
    let (rows, issues) = read_all(&TITLES, &[LINE]);
    assert_eq!(
        (issues.errors.count, issues.warnings.count),
        (0, 0),
        "{issues:?}"
    );
    let row = &rows[0];
    assert_eq!(row.row, 2);
    assert_eq!(row.number.unwrap().to_string(), "101/2024/7");
    assert_eq!(row.status, Some(CaseStatus::Open));
    assert_eq!((row.claimant.kind, row.debtor.kind), (Some(2), Some(1)));
    assert_eq!(
        (
            row.debtor.born.unwrap().to_string().as_str(),
            row.debtor.gender
        ),
        ("2000-01-01", Some(1))
    );
    assert_eq!((row.claimant.born, row.claimant.gender), (None, None));
    assert_eq!(
        (row.full.claims, row.remaining.claims, row.received),
        (Cents(123_456), Cents(23_456), Cents(100_000))
    );
    assert_eq!(
        (row.claim_type, row.bank, row.periodic),
        (Some(1), Some(7), None)
    );
}

#[test]
fn another_spelling_is_the_same_row() {
    let other = "101/2024/007;5.1.2024; menetluses ;JURIIDILINE ISIK;O\u{303}ie  OÜ;90000009;eraisik;Aino\u{a0}Näidis;60001019906;\
                 võlanõue;1\u{a0}234,56 €;1000;ee38 2200 2210 2014 5685;1213 12952";
    let iso = LINE
        .replace("05.01.2024", "2024-01-05")
        .replace("1234,56", "1\u{202f}234.56");
    let (rows, issues) = read_all(
        &TITLES,
        &[
            LINE,
            other,
            &iso,
            &LINE.replace("Aino", "Aini"),
            &LINE.replace("1000,00", "1000,01"),
        ],
    );
    assert_eq!(issues.errors.count, 0, "{issues:?}");
    let same: Vec<bool> = rows
        .iter()
        .map(|row| row.digest == rows[0].digest)
        .collect();
    assert_eq!(same, [true, true, true, false, false]);
}

#[test]
fn nothing_received_is_the_same_as_nothing_said() {
    let (rows, issues) = read_all(
        &TITLES,
        &[
            &LINE.replace("1000,00", ""),
            &LINE.replace("1000,00", "0,00"),
        ],
    );
    assert_eq!(issues.errors.count, 0, "{issues:?}");
    assert_eq!(rows[0].digest, rows[1].digest);
}

#[test]
fn a_name_can_be_seen() {
    for (given, wrong) in [("\u{200b}", 1), ("\u{301}", 1), ("-", 1), ("3", 0)] {
        let (_, issues) = read_all(&TITLES, &[&LINE.replace("Aino Näidis", given)]);
        assert_eq!(issues.errors.count, wrong, "{given:?}");
    }
    for name in ["\u{202e}Ai\u{200b}no", "\u{200b} Aino \u{200b}"] {
        let (rows, _) = read_all(&TITLES, &[&LINE.replace("Aino", name)]);
        assert_eq!(rows[0].debtor.name.as_deref(), Some("Aino Näidis"));
    }
}

#[test]
fn a_number_can_be_followed() {
    for (index, wrong) in [("99999999", 0), ("100000000", 1)] {
        let line = LINE.replace("2024/7", &format!("2024/{index}"));
        assert_eq!(read_all(&TITLES, &[&line]).1.errors.count, wrong, "{index}");
    }
}

#[test]
fn the_number_of_a_decision_is_a_code() {
    let titles: Vec<Field> = TITLES.into_iter().chain([Field::DecisionNumber]).collect();
    for (given, wrong) in [("2-24-123", 0), ("3,9E+10", 1)] {
        let (_, issues) = read_all(&titles, &[&format!("{LINE};{given}")]);
        assert_eq!(issues.errors.count, wrong, "{given}");
    }
}

#[test]
fn the_order_of_columns_does_not_matter() {
    let (rows, _) = read_all(&TITLES, &[LINE]);
    let mut titles = TITLES;
    titles.reverse();
    let mut cells: Vec<&str> = LINE.split(';').collect();
    cells.reverse();
    let (turned, issues) = read_all(&titles, &[&cells.join(";")]);
    assert_eq!(issues.errors.count, 0);
    assert_eq!(rows[0].digest, turned[0].digest);
}
