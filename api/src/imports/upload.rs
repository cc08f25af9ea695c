//! Receives the form: the file goes to the store as it comes, counted and hashed, and never lies in memory whole.
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest, Multipart, Request};
use domain::Actor;
use domain::imports::{self, FILE_BYTES, HEAD_BYTES, New, Source};
use futures::future::ready;
use futures::{StreamExt, stream};
use object_store::path::Path;
use object_store::{ObjectStoreExt, WriteMultipart};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::error::{Error, Result};

/// A part of the file on its way to the store; S3 takes none smaller, and two are under way at most.
const PART_BYTES: usize = 5 * 1024 * 1024;

/// The received form; its file lies in the store.
pub struct Upload {
    pub new: New,
    /// SHA-256 of type, name and content: what makes two uploads the same.
    pub digest: Vec<u8>,
}

/// A file that was received whole, under its own name.
struct Stored {
    path: Path,
    name: String,
    bytes: u64,
    digest: [u8; 32],
}

/// What the fields around a file may take.
const AROUND_BYTES: u64 = 64 * 1024;
/// What may come before a part's own bytes begin: the parser keeps all of it.
const HEADER_BYTES: u64 = 16 * 1024;

/// How much of a form has come, and how much may come before the parser has got further.
#[derive(Default)]
struct Intake {
    come: AtomicU64,
    until: AtomicU64,
}

impl Intake {
    /// The next part's header must end within this much more.
    fn expect_header(&self) {
        let come = self.come.load(Ordering::Relaxed);
        self.until.store(come + HEADER_BYTES, Ordering::Relaxed);
    }

    /// A part's own bytes are counted by who reads them.
    fn expect_content(&self) {
        self.until
            .store(FILE_BYTES + AROUND_BYTES, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.come.load(Ordering::Relaxed) > self.until.load(Ordering::Relaxed)
    }
}

/// A form that is being received.
pub struct Form {
    parts: Multipart,
    intake: Arc<Intake>,
}

/// The form of a request, read no faster than it is worked on.
pub async fn form(request: Request) -> Result<Form> {
    let intake = Arc::new(Intake::default());
    let counting = intake.clone();
    // The parser takes all that is ready before it hands anything on: a pause after each piece keeps it from taking the whole
    // file. After, not before: it misreads an end that comes with the first piece.
    let paced = request.map(|body| {
        let pieces = body.into_data_stream().map(move |piece| {
            let piece = piece?;
            let over = counting.is_over();
            counting
                .come
                .fetch_add(piece.len() as u64, Ordering::Relaxed);
            if over {
                return Err(axum::Error::new("too much before the next part"));
            }
            Ok(piece)
        });
        let pieces = pieces.flat_map(|piece| {
            let pause = stream::once(tokio::task::yield_now()).filter_map(|()| ready(None));
            stream::iter([piece]).chain(pause)
        });
        Body::from_stream(pieces)
    });
    let parts = Multipart::from_request(paced, &())
        .await
        .map_err(|_| Error::media_type())?;
    Ok(Form { parts, intake })
}

/// Reads the whole form. On every error no file is left behind.
pub async fn receive(app: &App, actor: &Actor, mut form: Form) -> Result<Upload> {
    let mut stored = None;
    let outcome = parts(app, actor, &mut form, &mut stored).await;
    let outcome = outcome.and_then(|source| complete(source, stored.as_ref()));
    if outcome.is_err()
        && let Some(stored) = &stored
        && let Err(error) = app.store.delete(&stored.path).await
    {
        tracing::error!(cause = %error, "a refused upload could not be deleted");
    }
    outcome
}

async fn parts(
    app: &App,
    actor: &Actor,
    form: &mut Form,
    stored: &mut Option<Stored>,
) -> Result<Option<String>> {
    let mut source = None;
    loop {
        form.intake.expect_header();
        let next = in_time(app, form.parts.next_field()).await;
        let next = next.map_err(|error| {
            if form.intake.is_over() {
                Error::too_large()
            } else {
                error
            }
        });
        let Some(mut field) = next? else {
            return Ok(source);
        };
        form.intake.expect_content();
        match field.name() {
            Some("type") if source.is_none() => source = Some(short_text(app, &mut field).await?),
            Some("file") if stored.is_none() => *stored = Some(store(app, actor, field).await?),
            Some(name @ ("type" | "file")) => return Err(Error::invalid(name, "Väli on korduv.")),
            name => return Err(Error::invalid(name.unwrap_or_default(), "Tundmatu väli.")),
        }
    }
}

fn complete(source: Option<String>, stored: Option<&Stored>) -> Result<Upload> {
    let source = source.ok_or_else(|| Error::invalid("type", "Väli on kohustuslik."))?;
    let source = Source::parse(&source)
        .ok_or_else(|| Error::invalid("type", "Väärtus peab olema taavi või etaitur."))?;
    let stored = stored.ok_or_else(|| Error::invalid("file", "Väli on kohustuslik."))?;
    let mut hash = Sha256::new();
    hash.update(source.as_str());
    hash.update([0]);
    hash.update(&stored.name);
    hash.update([0]);
    hash.update(stored.digest);
    Ok(Upload {
        new: New {
            source,
            file_key: stored.path.to_string(),
            file_name: stored.name.clone(),
            file_bytes: stored.bytes,
        },
        digest: hash.finalize().to_vec(),
    })
}

async fn short_text(app: &App, field: &mut Field<'_>) -> Result<String> {
    let mut bytes = Vec::new();
    while let Some(piece) = in_time(app, field.chunk()).await? {
        bytes.extend_from_slice(&piece);
        if bytes.len() > 100 {
            return Err(Error::invalid("type", "Väärtus on vigane."));
        }
    }
    String::from_utf8(bytes).map_err(|_| Error::invalid("type", "Väärtus on vigane."))
}

async fn store(app: &App, actor: &Actor, mut field: Field<'_>) -> Result<Stored> {
    let name = imports::clean_file_name(field.file_name().unwrap_or_default());
    let path = imports::new_file_path(actor);
    let upload = app
        .store
        .put_multipart(&path)
        .await
        .map_err(domain::Error::from)?;
    let mut writer = WriteMultipart::new_with_chunk_size(upload, PART_BYTES);
    match write(app, &mut field, &mut writer).await {
        Ok((bytes, digest)) => {
            writer.finish().await.map_err(domain::Error::from)?;
            Ok(Stored {
                path,
                name,
                bytes,
                digest,
            })
        }
        Err(error) => {
            if let Err(failed) = writer.abort().await {
                tracing::error!(cause = %failed, "a broken upload could not be removed");
            }
            Err(error)
        }
    }
}

async fn write(
    app: &App,
    field: &mut Field<'_>,
    writer: &mut WriteMultipart,
) -> Result<(u64, [u8; 32])> {
    let mut hash = Sha256::new();
    let mut head = Vec::with_capacity(HEAD_BYTES);
    let mut bytes = 0_u64;
    while let Some(piece) = in_time(app, field.chunk()).await? {
        bytes += u64::try_from(piece.len()).unwrap_or(u64::MAX);
        if bytes > FILE_BYTES {
            return Err(Error::too_large());
        }
        if head.len() < HEAD_BYTES {
            head.extend_from_slice(&piece[..piece.len().min(HEAD_BYTES - head.len())]);
            if head.len() == HEAD_BYTES {
                refuse_what_is_no_csv(&head)?;
            }
        }
        hash.update(&piece);
        writer
            .wait_for_capacity(2)
            .await
            .map_err(domain::Error::from)?;
        writer.write(&piece);
    }
    if bytes == 0 {
        return Err(Error::invalid("file", "Fail on tühi."));
    }
    refuse_what_is_no_csv(&head)?;
    Ok((bytes, hash.finalize().into()))
}

fn refuse_what_is_no_csv(head: &[u8]) -> Result<()> {
    match imports::not_text(head) {
        Some(why) => Err(Error::invalid("file", why)),
        None => Ok(()),
    }
}

/// Waits for the next bytes as long as an upload may be silent.
async fn in_time<T>(app: &App, next: impl Future<Output = Result<T, MultipartError>>) -> Result<T> {
    let patience = Duration::from_secs(app.config.upload_timeout_s);
    match tokio::time::timeout(patience, next).await {
        Err(_) => Err(Error::too_slow()),
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(Error::of_form(&error)),
    }
}
