//! B31: the disk that takes uploads is full.
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::process::Command;

use crate::judge::{Report, Stretch};
use crate::rig::Rig;
use crate::site::Answer;
use crate::uploads;

/// A small file system, unmounted when dropped.
pub(super) struct Small(PathBuf);

impl Small {
    /// `options` as mount takes them, a size first of all.
    pub(super) async fn mount(at: &Path, options: &str) -> Result<Self> {
        std::fs::create_dir_all(at)?;
        let done = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(at)
            .status()
            .await?;
        if !done.success() {
            bail!("a tmpfs cannot be mounted here; this row needs root");
        }
        Ok(Self(at.to_owned()))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount")
            .arg("--lazy")
            .arg(&self.0)
            .status();
    }
}

pub async fn b31(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    rig.kill_api().await?;
    let files = rig.folder.join("files");
    let small = Small::mount(&files, "size=16m").await?;
    rig.start_api(&[]).await?;
    rig.start_workers(1, &[]).await?;
    let kt = rig.session("taitur", "KT", "101").await?;
    let before = imports(rig).await?;

    let csv = uploads::make(&rig.folder, 5_000).await?;
    // A file larger than the disk, then a small one on a full disk.
    let large = csv.repeat(20 * 1024 * 1024 / csv.len() + 1);
    refused(
        &uploads::send(&kt, &large).await?,
        "a file larger than the disk",
        &mut report,
    );
    let left = taken(&files)?;
    report.check(left == 0, || {
        format!("{left} bytes of a refused upload stay")
    });
    let filler = files.join("filler");
    fill(&filler)?;
    refused(
        &uploads::send(&kt, &csv).await?,
        "a file on a full disk",
        &mut report,
    );
    let left = taken(&files)? - std::fs::metadata(&filler)?.len();
    report.check(left == 0, || {
        format!("{left} bytes of a refused upload stay")
    });
    let rows = imports(rig).await? - before;
    report.check(rows == 0, || format!("{rows} imports without their file"));
    rig.site.take_faults();

    std::fs::remove_file(&filler)?;
    let freed = Instant::now();
    let taken_in = uploads::send(&kt, &csv).await?.expect(202)?;
    let id = taken_in["id"].as_i64().context("an import without an id")?;
    let import = uploads::finish(&kt, id, Duration::from_secs(120)).await?;
    report.recovered(freed.elapsed(), Duration::from_secs(60));
    report.check(import["added"] == 5_000, || {
        format!(
            "the import after freeing: {}",
            import.to_string().chars().take(300).collect::<String>()
        )
    });
    // The cases that came in have sums of their own: what must not move is judged from here on.
    let stretch = Stretch::begin(rig).await?;
    report.tasks = 5_000;
    stretch.judge(rig, &mut report).await?;
    rig.stop_workers().await?;
    rig.kill_api().await?;
    drop(small);
    rig.start_api(&[]).await?;
    Ok(report)
}

/// 507, or 503, with a problem for a body.
fn refused(answer: &Answer, what: &str, report: &mut Report) {
    report.check(
        (answer.status == 507 || answer.status == 503) && answer.body.is_object(),
        || format!("{what} was answered {}: {}", answer.status, answer.body),
    );
}

async fn imports(rig: &Rig) -> Result<i64> {
    Ok(sqlx::query_scalar("select count(*) from imports")
        .fetch_one(&rig.admin)
        .await?)
}

/// Bytes of all files in a folder.
fn taken(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let meta = entry.metadata()?;
        bytes += if meta.is_dir() {
            taken(&entry.path())?
        } else {
            meta.len()
        };
    }
    Ok(bytes)
}

fn fill(file: &Path) -> Result<()> {
    use std::io::Write;
    let mut out = std::fs::File::create(file)?;
    while out.write_all(&[b'x'; 4096]).is_ok() {}
    Ok(())
}
