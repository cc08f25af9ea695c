//! Where uploaded files are kept: a folder by default, S3-compatible storage by setting.
use std::path::Path;
use std::sync::Arc;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, path};

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

fn folder(folder: &Path) -> Result<Arc<dyn ObjectStore>, String> {
    std::fs::create_dir_all(folder)
        .map_err(|e| format!("The folder {} cannot be made: {e}.", folder.display()))?;
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

/// Whether writing failed because the disk or the quota is full.
pub fn is_full(error: &object_store::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(io) = error.downcast_ref::<std::io::Error>() {
            return matches!(
                io.kind(),
                std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded
            );
        }
        cause = error.source();
    }
    false
}
