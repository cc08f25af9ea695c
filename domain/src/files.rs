//! Where uploaded files are kept: a folder by default, S3-compatible storage by setting.
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, ObjectStoreExt, path};

/// Opens the store. `setting` is `TOIMIK_FILES`: empty means the folder `files` under `data`, `s3://bucket/prefix` means
/// S3-compatible storage with the `AWS_…` variables of `environment`. Errors are one plain sentence.
pub fn open(
    setting: Option<&str>,
    data: &Path,
    environment: impl IntoIterator<Item = (String, String)>,
) -> Result<Arc<dyn ObjectStore>, String> {
    match setting.map(str::trim).filter(|text| !text.is_empty()) {
        None => folder(&data.join("files")),
        Some(address) => match address.strip_prefix("s3://") {
            Some(place) => bucket(place, environment),
            None => Err(format!(
                "TOIMIK_FILES must be empty or begin with s3://, not {address}."
            )),
        },
    }
}

/// Opens the store of this process: `TOIMIK_FILES`, or the folder `files` in `TOIMIK_DATA`.
pub fn from_environment() -> Result<Arc<dyn ObjectStore>, String> {
    let data = std::env::var("TOIMIK_DATA").map_err(|_| "TOIMIK_DATA is not set.".to_owned())?;
    let setting = std::env::var("TOIMIK_FILES").ok();
    open(setting.as_deref(), Path::new(&data), std::env::vars())
}

/// Asks the store once, at the start of a process: what its settings are to blame for is refused in one plain sentence; that it
/// does not answer now is only said in the log.
pub async fn check(store: &dyn ObjectStore) -> Result<(), String> {
    use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
    // A name that no file has: who may read and list is told that there is none.
    let nothing = path::Path::from("start");
    let blames_settings = |error: &object_store::Error| match error {
        NotFound { source, .. } => source.to_string().contains("NoSuchBucket"),
        PermissionDenied { .. } | Unauthenticated { .. } => true,
        _ => false,
    };
    match tokio::time::timeout(ASKED, store.get(&nothing)).await {
        Ok(Err(error)) if blames_settings(&error) => Err(format!(
            "TOIMIK_FILES names a bucket that is not there or may not be read: {}.",
            error.to_string().lines().next().unwrap_or_default()
        )),
        Ok(Ok(_) | Err(NotFound { .. })) => Ok(()),
        Ok(Err(error)) => {
            tracing::error!(cause = %error, "the store of files does not answer, uploads are refused until it does");
            Ok(())
        }
        Err(_) => {
            tracing::error!(
                "the store of files does not answer in time, uploads are refused until it does"
            );
            Ok(())
        }
    }
}

/// For how long a start waits for the store.
const ASKED: Duration = Duration::from_secs(5);

/// Longer than any upload takes.
pub const DAY: Duration = Duration::from_secs(24 * 3600);

/// Removes what uploads left that broke off with their process, once it is so old: `name#1` beside the name that the file
/// was to have. The store never lists these. What cannot be read or removed is left for the next start.
fn remove_parts(folder: &Path, age: Duration) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.filter_map(std::io::Result::ok) {
        let Ok(meta) = entry.metadata() else { continue };
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.rsplit_once('#'));
        let is_part = number.is_some_and(|(_, number)| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        if meta.is_dir() {
            remove_parts(&entry.path(), age);
        } else if is_part && is_older(&meta, age) && std::fs::remove_file(entry.path()).is_ok() {
            tracing::info!(file.bytes = meta.len(), "a broken-off upload was removed");
        }
    }
}

/// By the clock of the file system, which wrote the time.
fn is_older(meta: &std::fs::Metadata, age: Duration) -> bool {
    meta.modified()
        .is_ok_and(|at| SystemTime::elapsed(&at).is_ok_and(|passed| passed >= age))
}

fn folder(folder: &Path) -> Result<Arc<dyn ObjectStore>, String> {
    std::fs::create_dir_all(folder)
        .map_err(|e| format!("The folder {} cannot be made: {e}.", folder.display()))?;
    remove_parts(folder, DAY);
    let store = LocalFileSystem::new_with_prefix(folder)
        .map_err(|e| format!("The folder {} cannot be used: {e}.", folder.display()))?;
    Ok(Arc::new(store.with_fsync(true)))
}

fn bucket(
    place: &str,
    environment: impl IntoIterator<Item = (String, String)>,
) -> Result<Arc<dyn ObjectStore>, String> {
    let (name, prefix) = place.split_once('/').unwrap_or((place, ""));
    let mut builder = AmazonS3Builder::new().with_bucket_name(name);
    for (key, value) in environment {
        if let Ok(key) = key.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
            builder = builder.with_config(key, value);
        }
    }
    let store = builder
        .build()
        .map_err(|e| format!("TOIMIK_FILES cannot be used: {e}."))?;
    let prefix = path::Path::parse(prefix)
        .map_err(|e| format!("The prefix in TOIMIK_FILES cannot be used: {e}."))?;
    Ok(Arc::new(PrefixStore::new(store, prefix)))
}

/// Whether writing failed because the disk, the quota or the file's own limit is full.
pub fn is_full(error: &object_store::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(io) = error.downcast_ref::<std::io::Error>() {
            return matches!(
                io.kind(),
                std::io::ErrorKind::StorageFull
                    | std::io::ErrorKind::QuotaExceeded
                    | std::io::ErrorKind::FileTooLarge
            );
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_broken_uploads_go_when_they_are_old() {
        let folder = std::env::temp_dir().join(format!("toimik-files-{}", uuid::Uuid::new_v4()));
        let inner = folder.join("imports/7");
        std::fs::create_dir_all(&inner).unwrap();
        for name in ["a", "a#1", "b#12", "c#", "d#1x"] {
            std::fs::write(inner.join(name), "x").unwrap();
        }
        let names = || {
            let entries = std::fs::read_dir(&inner).unwrap();
            let mut names: Vec<String> = entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        remove_parts(&folder, DAY);
        assert_eq!(names(), ["a", "a#1", "b#12", "c#", "d#1x"]);
        remove_parts(&folder, Duration::ZERO);
        assert_eq!(names(), ["a", "c#", "d#1x"]);
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// A store that answers every request so, as far as a start asks.
    async fn answering(answer: (&'static str, &'static str)) -> Arc<dyn ObjectStore> {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                assert!(stream.read(&mut [0; 4096]).await.unwrap() > 0, "a request");
                let (status, code) = answer;
                let body = format!("<Error><Code>{code}</Code></Error>");
                let whole = format!(
                    "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                );
                stream.write_all(whole.as_bytes()).await.unwrap();
            }
        });
        let settings = [
            ("AWS_ENDPOINT", endpoint.as_str()),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "eu-north-1"),
            ("AWS_ACCESS_KEY_ID", "x"),
            ("AWS_SECRET_ACCESS_KEY", "x"),
        ];
        let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
        open(Some("s3://toimik/files"), Path::new("/"), settings).unwrap()
    }

    #[tokio::test]
    async fn a_bucket_that_settings_get_wrong_stops_a_start_and_one_that_is_away_does_not() {
        for (answer, refused) in [
            (("404 Not Found", "NoSuchBucket"), true),
            (("404 Not Found", "NoSuchKey"), false),
            (("403 Forbidden", "InvalidAccessKeyId"), true),
            (("401 Unauthorized", "AccessDenied"), true),
            (("400 Bad Request", "Other"), false),
        ] {
            let store = answering(answer).await;
            assert_eq!(check(&*store).await.is_err(), refused, "{answer:?}");
        }
        assert_eq!(check(&object_store::memory::InMemory::new()).await, Ok(()));
    }

    #[test]
    fn a_full_disk_is_seen_behind_the_store_s_own_error() {
        use std::io::{Error, ErrorKind};
        for (kind, full) in [
            (ErrorKind::StorageFull, true),
            (ErrorKind::QuotaExceeded, true),
            (ErrorKind::FileTooLarge, true),
            (ErrorKind::PermissionDenied, false),
        ] {
            let inner = object_store::Error::Generic {
                store: "inner",
                source: Box::new(Error::from(kind)),
            };
            let error = object_store::Error::Generic {
                store: "outer",
                source: Box::new(inner),
            };
            assert_eq!(is_full(&error), full, "{kind:?}");
        }
    }
}
