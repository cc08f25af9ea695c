//! Reads the stored file into the staging table: encoding, rows, values, COPY. Memory does not grow with the file.
use encoding_rs::Encoding;
use futures::{Stream, StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use sqlx::PgConnection;
use sqlx::postgres::PgCopyIn;
use tokio::time::Instant;

use super::csv::{Broken, Record, Rows};
use super::header::{Layout, Source};
use super::issues::{Issue, Issues};
use super::progress::Progress;
use super::row::{self, Known};
use super::{stage, text};
use crate::{Error, Result};

/// The end of reading in percent of the whole import.
const READ_PERCENT: i16 = 40;

/// A file in the store, with what its first bytes tell.
pub struct File<'a> {
    pub store: &'a dyn ObjectStore,
    pub path: Path,
    pub bytes: u64,
}

type Pieces = std::pin::Pin<Box<dyn Stream<Item = object_store::Result<bytes::Bytes>> + Send>>;

impl File<'_> {
    async fn pieces(&self) -> Result<Pieces> {
        Ok(self.store.get(&self.path).await?.into_stream().boxed())
    }

    /// A mark decides at once; otherwise the whole file is looked at.
    pub async fn encoding(&self) -> Result<&'static Encoding> {
        let mut pieces = self.pieces().await?;
        let mut check = text::Utf8Check::default();
        let mut is_first = true;
        while let Some(piece) = pieces.try_next().await? {
            if std::mem::take(&mut is_first)
                && let Some(encoding) = text::by_mark(&piece)
            {
                return Ok(encoding);
            }
            if !check.push(&piece) {
                break;
            }
        }
        Ok(check.finish())
    }
}

/// What reading needs to know.
pub struct Task<'a> {
    pub file: File<'a>,
    /// Found before the transaction begins: it may take a reading of the whole file.
    pub encoding: &'static Encoding,
    pub source: Source,
    pub known: &'a Known,
    pub deadline: Instant,
}

/// Stages every row; returns how many there were. What is wrong with them goes to `issues`.
pub async fn stage(
    conn: &mut PgConnection,
    task: &Task<'_>,
    progress: &mut Progress<'_>,
    issues: &mut Issues,
) -> Result<u32> {
    let encoding = task.encoding;
    let mut pieces = task.file.pieces().await?;
    let mut copy = stage::copy(conn).await?;
    let mut intake = Intake {
        task,
        encoding,
        decoder: text::Text::new(encoding),
        rows: Rows::default(),
        sink: Sink::new(task),
        issues,
    };
    match intake.feed(&mut pieces, &mut copy, progress).await {
        Ok(()) => copy.finish().await?,
        Err(error) => {
            // The transaction is lost either way; the connection must not be left in the middle of a COPY.
            let _ = copy.abort("the file could not be read").await;
            return Err(error);
        }
    };
    if !intake.sink.saw_header && intake.issues.errors.count == 0 {
        *intake.issues = Issues::whole_file(1, "Fail on tühi.");
    }
    Ok(intake.sink.count)
}

struct Intake<'a> {
    task: &'a Task<'a>,
    encoding: &'static Encoding,
    decoder: text::Text,
    rows: Rows,
    sink: Sink<'a>,
    issues: &'a mut Issues,
}

impl Intake<'_> {
    async fn feed(
        &mut self,
        pieces: &mut Pieces,
        copy: &mut PgCopyIn<&mut PgConnection>,
        progress: &mut Progress<'_>,
    ) -> Result<()> {
        let mut done = 0_u64;
        while let Some(piece) = pieces.try_next().await? {
            for part in piece.chunks(stage::PIECE_BYTES) {
                done += u64::try_from(part.len()).unwrap_or(0);
                let is_over = self.read(part, false);
                if is_over || self.sink.out.len() >= stage::PIECE_BYTES {
                    self.send(copy).await?;
                    let percent = Progress::within(0, READ_PERCENT, done, self.task.file.bytes);
                    progress.show(percent, Some(self.sink.count)).await;
                }
                if is_over {
                    return Ok(());
                }
            }
        }
        self.read(&[], true);
        self.send(copy).await?;
        progress.show(READ_PERCENT, Some(self.sink.count)).await;
        Ok(())
    }

    async fn send(&mut self, copy: &mut PgCopyIn<&mut PgConnection>) -> Result<()> {
        copy.send(self.sink.out.as_bytes()).await?;
        self.sink.out.clear();
        if Instant::now() >= self.task.deadline {
            return Err(too_long());
        }
        Ok(())
    }

    /// Whether reading ends here: the rest could not be trusted, or there is no header to read it by.
    fn read(&mut self, bytes: &[u8], is_last: bool) -> bool {
        let (sink, issues) = (&mut self.sink, &mut *self.issues);
        let (text, soundness) = self.decoder.decode(bytes, is_last);
        let mut outcome = self
            .rows
            .push(text, |row, record| sink.take(row, record, issues));
        if outcome.is_ok() && soundness.is_ok() && is_last {
            outcome = self
                .rows
                .finish(|row, record| sink.take(row, record, issues));
        }
        let stop = match (outcome, soundness) {
            (Err(Broken { row, why }), _) => Some((row, why.message())),
            (Ok(()), Err(text::Malformed)) => {
                let name = text::name(self.encoding);
                Some((
                    self.rows.row(),
                    format!("Fail ei vasta kodeeringule {name}."),
                ))
            }
            (Ok(()), Ok(())) => None,
        };
        let is_broken = stop.is_some();
        if let Some((row, message)) = stop {
            issues.errors.add(Issue {
                row,
                case_number: None,
                column: None,
                message,
            });
        }
        is_broken || (sink.saw_header && sink.layout.is_none())
    }
}

/// Takes whole rows and leaves them as lines for COPY.
struct Sink<'a> {
    task: &'a Task<'a>,
    layout: Option<Layout>,
    saw_header: bool,
    out: String,
    count: u32,
}

impl<'a> Sink<'a> {
    fn new(task: &'a Task<'a>) -> Self {
        Self {
            task,
            layout: None,
            saw_header: false,
            out: String::with_capacity(2 * stage::PIECE_BYTES),
            count: 0,
        }
    }

    fn take(&mut self, row: u32, record: &Record, issues: &mut Issues) {
        if !std::mem::replace(&mut self.saw_header, true) {
            self.layout = Layout::read(self.task.source, row, record, issues);
        } else if let Some(layout) = &self.layout {
            let row = row::read(row, record, layout, self.task.known, issues);
            stage::write(&mut self.out, &row);
            self.count += 1;
        }
    }
}

/// Past the time limit; nothing was changed. Source: spec 2 §8.
pub fn too_long() -> Error {
    Error::refused(
        "import_too_long",
        "Kõiki failis olevaid ridu ei jõutud 10 minuti jooksul ära töödelda. Proovige faili uuesti üles laadida või vajadusel \
         tükeldage fail väiksemateks osadeks.",
    )
}
