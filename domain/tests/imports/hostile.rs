//! Files that are empty, torn, enormous or not what they say: a clear list, nothing changed, memory bounded.
use domain::imports::Source;

use super::support::{World, errors, line, small};

async fn one_error(world: &World, file: &[u8]) -> (i32, String, String) {
    let (import, found) = world.import(Source::Taavi, file).await;
    assert_eq!((import.status, import.added), (3, 0), "{found:?}");
    assert_eq!(found.iter().filter(|f| !f.warning).count(), 1, "{found:?}");
    let found = found.into_iter().find(|f| !f.warning).unwrap();
    (found.row, found.column.unwrap_or_default(), found.message)
}

#[tokio::test(flavor = "multi_thread")]
async fn files_without_cases() {
    let world = World::new().await;
    let (import, found) = world.import(Source::Taavi, &small("", &[])).await;
    assert_eq!(
        (
            import.status,
            import.rows,
            import.warning_count,
            found.len()
        ),
        (5, Some(0), 1, 1)
    );
    for file in [&b""[..], b"\r\n\r\n", b"\xef\xbb\xbf", b"\xff\xfe"] {
        let (row, _, message) = one_error(&world, file).await;
        assert_eq!((row, message.as_str()), (1, "Fail on tühi."));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_that_cannot_be_used() {
    let world = World::new().await;
    let whole = String::from_utf8(small("", &[&line(1)])).unwrap();
    let (row, column, message) =
        one_error(&world, whole.replacen("Staatus", "Olek", 1).as_bytes()).await;
    assert_eq!((row, column.as_str()), (1, "Staatus"));
    assert!(message.contains("puudub"));
    let (_, column, _) = one_error(
        &world,
        whole.replacen("Toimiku number", "Number", 1).as_bytes(),
    )
    .await;
    assert_eq!(column, "Toimiku number");
    let (_, column, _) = one_error(
        &world,
        whole.replacen("Põhinõue", "Põhinõue;Staatus", 1).as_bytes(),
    )
    .await;
    assert_eq!(column, "Staatus");
    let thousand = vec!["veerg"; 1000].join(";");
    let (row, _, message) = one_error(&world, thousand.as_bytes()).await;
    assert_eq!(row, 1);
    assert!(message.contains("200"));
    let (_, found) = world.import(Source::Etaitur, whole.as_bytes()).await;
    assert!(found[0].message.contains("taavi"), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn torn_files_name_the_row() {
    let world = World::new().await;
    let file = |torn: &str| small("", &[&line(1), torn, &line(3), &line(4)]);
    for torn in [
        "\"101/2024/2;05.01.2024",
        &line(2).replace("Aino Näidis", "\"Aino\" Näidis"),
        "101/2024/2;\"05.01.2024",
    ] {
        let (row, _, message) = one_error(&world, &file(torn)).await;
        assert_eq!(row, 3, "{torn}: {message}");
        assert!(message.contains("utumär"), "{message}");
    }
    let (row, _, message) = one_error(&world, &file("101/2024/2;05.01.2024")).await;
    assert_eq!(row, 3);
    assert!(message.contains("2 lahtrit"), "{message}");
    let mut half = vec![0xff, 0xfe];
    half.extend(
        String::from_utf8(file(&line(2)))
            .unwrap()
            .encode_utf16()
            .flat_map(u16::to_le_bytes),
    );
    half.pop();
    let (row, _, message) = one_error(&world, &half).await;
    assert_eq!(row, 6);
    assert!(message.contains("UTF-16"), "{message}");
    let baltic = String::from_utf8(file(&line(2).replace("Aino", "A\u{1}no"))).unwrap();
    let mut baltic = encoding_rs::WINDOWS_1257.encode(&baltic).0.into_owned();
    let at = baltic.iter().position(|byte| *byte == 1).unwrap();
    baltic[at] = 0xa1;
    let (row, _, message) = one_error(&world, &baltic).await;
    assert_eq!(row, 3);
    assert!(message.contains("windows-1257"), "{message}");
    assert_eq!(world.footprint().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn enormous_lines_and_cells() {
    let world = World::new().await;
    // 100 MB without a line end, as a header and as a row.
    let (row, _, _) = one_error(&world, &vec![b'x'; 104_857_600]).await;
    assert_eq!(row, 1);
    let long = [small("", &[&line(1)]), vec![b'x'; 104_000_000]].concat();
    let (row, _, message) = one_error(&world, &long).await;
    assert_eq!(row, 3);
    assert!(message.contains("32 kB"));
    let name = line(2).replace("Aino Näidis", &"õ".repeat(400));
    let (_, found) = world
        .import(Source::Taavi, &small("", &[&line(1), &name]))
        .await;
    assert_eq!(errors(&found), [(3, "Võlgniku nimi".to_owned())]);
    assert_eq!(world.footprint().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_million_wrong_rows_give_a_capped_list() {
    let world = World::new().await;
    let wrong = line(1).replace("100,00", "x");
    let mut file = small("", &[]);
    for _ in 0..30_000 {
        file.extend_from_slice(wrong.as_bytes());
        file.push(b'\n');
    }
    let (import, found) = world.import(Source::Taavi, &file).await;
    // Every row is unreadable, and every row but the first repeats the number.
    assert_eq!(
        (import.status, import.error_count, import.rows),
        (3, 59_999, Some(30_000))
    );
    assert_eq!(found.len(), domain::imports::KEPT);
}
