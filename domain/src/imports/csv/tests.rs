//! Rows and cells by table, each cut into pieces of every size.
use super::*;

type Read = (Vec<(u32, Vec<String>)>, Option<Broken>);

fn read(text: &str, piece: usize) -> Read {
    let mut rows = Rows::default();
    let mut out = Vec::new();
    let mut take = |row: u32, record: &Record| {
        out.push((row, record.cells().map(str::to_owned).collect()));
    };
    let chars: Vec<char> = text.chars().collect();
    let mut outcome = Ok(());
    for part in chars.chunks(piece) {
        outcome = outcome.and_then(|()| rows.push(&part.iter().collect::<String>(), &mut take));
    }
    let outcome = outcome.and_then(|()| rows.finish(&mut take));
    (out, outcome.err())
}

fn each_piece(text: &str) -> Read {
    let whole = read(text, text.len().max(1));
    for piece in [1, 2, 3, 5] {
        assert_eq!(read(text, piece), whole, "{text:?} in pieces of {piece}");
    }
    whole
}

#[test]
fn cuts_rows_and_cells() {
    for (text, expected) in [
        (
            "a;b\r\n1;2\r\n",
            vec![(1, vec!["a", "b"]), (2, vec!["1", "2"])],
        ),
        ("a;b\n1;2", vec![(1, vec!["a", "b"]), (2, vec!["1", "2"])]),
        (
            "a;b\r\n1;2\n3;4\r5;6",
            vec![
                (1, vec!["a", "b"]),
                (2, vec!["1", "2"]),
                (3, vec!["3", "4"]),
                (4, vec!["5", "6"]),
            ],
        ),
        (
            "a,b\n\"1,5\",2\n",
            vec![(1, vec!["a", "b"]), (2, vec!["1,5", "2"])],
        ),
        (
            "a\tb\n1;2\t3\n",
            vec![(1, vec!["a", "b"]), (2, vec!["1;2", "3"])],
        ),
        (
            "\"a;b\",c,d\n1,2,3\n",
            vec![(1, vec!["a;b", "c", "d"]), (2, vec!["1", "2", "3"])],
        ),
        (
            "a;b\n\"x\"\"y\";\"\"\n",
            vec![(1, vec!["a", "b"]), (2, vec!["x\"y", ""])],
        ),
        (
            "a;b\n\"x\r\ny\";2\n3;4",
            vec![
                (1, vec!["a", "b"]),
                (2, vec!["x\r\ny", "2"]),
                (3, vec!["3", "4"]),
            ],
        ),
        (
            "a;b\nProovi \"Kodu\" OÜ;2\n",
            vec![(1, vec!["a", "b"]), (2, vec!["Proovi \"Kodu\" OÜ", "2"])],
        ),
        (
            "a;b\n\n;\n1;\n",
            vec![(1, vec!["a", "b"]), (4, vec!["1", ""])],
        ),
        (
            "\n\na;b\n1;2\n",
            vec![(3, vec!["a", "b"]), (4, vec!["1", "2"])],
        ),
        (
            "a;b\n1;2;\n",
            vec![(1, vec!["a", "b"]), (2, vec!["1", "2", ""])],
        ),
        ("a\n1\n", vec![(1, vec!["a"]), (2, vec!["1"])]),
        ("", vec![]),
        ("\r\n", vec![]),
    ] {
        let expected: Vec<(u32, Vec<String>)> = expected
            .into_iter()
            .map(|(row, cells)| (row, cells.into_iter().map(str::to_owned).collect()))
            .collect();
        assert_eq!(each_piece(text), (expected, None), "{text:?}");
    }
}

#[test]
fn says_where_it_breaks() {
    let long = "x".repeat(CELL_BYTES + 1);
    for (text, row, why) in [
        ("a;b\n1;2\n\"3;4\n5;6\n".to_owned(), 3, Why::OpenQuote),
        ("a;b\n1;\"2\n3;\"4\"\n".to_owned(), 2, Why::TextAfterQuote),
        ("a;b\n\"x\"y;2\n".to_owned(), 2, Why::TextAfterQuote),
        ("\"a;b\n1;2\n".to_owned(), 1, Why::OpenQuote),
        (format!("a;b\n1;2\n{long};2\n"), 3, Why::LongCell),
        (format!("a;b\n1;\"2\n{long}"), 2, Why::OpenQuote),
        (
            format!("a;b\n{}\n", ";".repeat(COLUMNS)),
            2,
            Why::ManyColumns,
        ),
        (vec!["k"; 1000].join(";"), 1, Why::ManyColumns),
        ("x".repeat(100_000), 1, Why::LongHeader),
    ] {
        let (_, broken) = read(&text, 1000);
        assert_eq!(broken, Some(Broken { row, why }));
    }
}

#[test]
fn stops_after_the_last_row_that_is_allowed() {
    let mut rows = Rows::default();
    let mut count = 0_u32;
    let mut outcome = rows.push("a\n", |_, _| {});
    while outcome.is_ok() && count <= ROWS + 1 {
        outcome = rows.push("1\n", |_, _| count += 1);
    }
    assert_eq!(outcome.unwrap_err().why, Why::ManyRows);
    assert_eq!(count, ROWS);
}
