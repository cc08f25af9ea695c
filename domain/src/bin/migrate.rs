//! Brings a database up to date and gives each process its own login.
//! `DATABASE_URL` is the administrator's; the logins' URLs are written to `$TOIMIK_DATA/db/{api,jobs,scheduler}.url`.
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let outcome = runtime
        .map_err(|e| e.to_string())
        .and_then(|runtime| runtime.block_on(run()));
    if let Err(sentence) = outcome {
        eprintln!("migrate: {sentence}");
        std::process::exit(1);
    }
}

async fn run() -> Result<(), String> {
    let url = std::env::var("DATABASE_URL").map_err(|_| "DATABASE_URL is not set.".to_owned())?;
    let data = std::env::var("TOIMIK_DATA").map_err(|_| "TOIMIK_DATA is not set.".to_owned())?;
    let folder = PathBuf::from(data).join("db");
    std::fs::create_dir_all(&folder)
        .map_err(|e| format!("{} cannot be made: {e}.", folder.display()))?;
    let earlier = |name: &str| std::fs::read_to_string(folder.join(format!("{name}.url"))).ok();
    let tell = |sentence: &str| eprintln!("migrate: {sentence}");
    let logins = domain::db::setup::migrate(&url, &earlier, &tell).await?;
    for (name, url) in logins {
        let path = folder.join(format!("{name}.url"));
        let file = std::fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&path);
        file.and_then(|mut file| writeln!(file, "{url}"))
            .map_err(|e| format!("{} cannot be written: {e}.", path.display()))?;
    }
    Ok(())
}
