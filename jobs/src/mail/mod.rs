//! The handler of mail: draws a letter in its reader's language and hands it to the transport. It may be sent twice, where the
//! process dies between sending and saying so; then under the same Message-ID.
mod message;
mod settings;
mod sheet;
mod tell;
mod transport;
mod words;

use std::sync::Arc;

use domain::ids::MailId;
use domain::jobs::{Claimed, Ending, Failure, Outcome, failure, finish};
use domain::mail::{self as letters, Letter};
use domain::{Scope, clock, db};
use object_store::ObjectStore;

pub use settings::{Config, Security, Server};
pub use sheet::Rendered;
pub use tell::Site;
use transport::Transport;
pub(crate) use words::one_line;

use crate::context::Context;

/// What this process sends mail with.
pub struct Mailer {
    transport: Transport,
    from: lettre::message::Mailbox,
    site: Site,
}

impl Mailer {
    /// The error is one plain sentence.
    pub fn new(config: Config, store: Arc<dyn ObjectStore>) -> Result<Self, String> {
        Ok(Self {
            transport: match config.server {
                Some(server) => Transport::smtp(server)?,
                None => Transport::Files(store),
            },
            from: config.from,
            site: config.site,
        })
    }

    /// What stands behind the @ of the Message-IDs.
    pub fn domain(&self) -> &str {
        self.from.email.domain()
    }

    pub fn site(&self) -> &Site {
        &self.site
    }
}

/// Sends one mail and ends its job.
pub async fn run(ctx: &Context, job: &Claimed) -> Result<(), Failure> {
    let id = job.args.as_ref().and_then(|args| args["mailId"].as_i64());
    let letter = read(ctx, id.map(MailId))
        .await
        .map_err(|error| failure::of(&error))?;
    let Some(letter) = letter else {
        let output = "Kirja ei ole enam.";
        return end(ctx, Outcome::new(job, Ending::Warning, output), job, None).await;
    };
    if letter.was_sent {
        let output = "Kiri oli juba saadetud.";
        return end(ctx, Outcome::new(job, Ending::Ok, output), job, None).await;
    }
    let Some(address) = &letter.to.email else {
        let output = "Saajal ei ole e-posti aadressi või rolli selles büroos.";
        return end(ctx, Outcome::new(job, Ending::Warning, output), job, None).await;
    };
    let rendered = render(&letter, &ctx.mailer.site).ok_or_else(|| Failure::Permanent {
        code: "mail_facts".into(),
        message: "Kirja sisu ei õnnestunud koostada.".into(),
    })?;
    let message = message::compose(&letter, address, &ctx.mailer.from, &rendered)?;
    ctx.mailer.transport.send(letter.id, message).await?;
    fail::fail_point!("mail-sent", |_| std::process::abort());
    tracing::info!(mail.id = letter.id.0, "a mail was sent");
    let outcome = Outcome::new(job, Ending::Ok, "Saadetud.");
    end(ctx, outcome, job, Some((letter.id, &rendered.subject))).await
}

/// A letter as text and HTML; none where its facts cannot be read.
pub fn render(letter: &Letter, site: &Site) -> Option<Rendered> {
    let language = words::Language::of(&letter.to.language);
    let sheet = tell::sheet(letter, site)?;
    sheet::render(&sheet, language, &site.preferences()).ok()
}

async fn read(ctx: &Context, id: Option<MailId>) -> domain::Result<Option<Letter>> {
    let Some(id) = id else { return Ok(None) };
    let mut conn = ctx.queue.acquire().await?;
    letters::letter(&mut conn, id).await
}

/// Ends the job, and notes in the same transaction what was sent.
async fn end(
    ctx: &Context,
    outcome: Outcome,
    job: &Claimed,
    sent: Option<(MailId, &str)>,
) -> Result<(), Failure> {
    let ending = outcome.ending.clone();
    let ended = async {
        let mut tx = db::begin(&ctx.pool, Scope::Queue).await?;
        let mine = finish(&mut tx, &[outcome]).await?;
        // Also where another run has the job by now: it has nothing to do then.
        if let Some((id, subject)) = sent {
            letters::sent(&mut tx, id, subject, clock::now()).await?;
        }
        tx.commit().await?;
        Ok::<_, domain::Error>(mine)
    };
    let mine = ended.await.map_err(|error| failure::of(&error))?;
    if mine.contains(&job.id) {
        ctx.minutes.add(job, &ending);
    }
    Ok(())
}
