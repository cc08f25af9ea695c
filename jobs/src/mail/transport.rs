//! The way out: an SMTP server, or files where none is set. Says of each failure whether trying again can help.
use std::error::Error as _;
use std::sync::Arc;

use domain::ids::MailId;
use domain::jobs::{Failure, failure};
use domain::mail::file_path;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, CertificateStore, Tls, TlsParameters};
use lettre::transport::smtp::{self, AsyncSmtpTransport};
use lettre::{AsyncTransport, Message, Tokio1Executor};
use object_store::{ObjectStore, ObjectStoreExt};

use super::settings::{Security, Server};

pub enum Transport {
    /// A connection a mail: lettre knows no time-out but of connecting, and a pool would keep what has stalled.
    Smtp {
        server: AsyncSmtpTransport<Tokio1Executor>,
        /// For the whole of a conversation.
        limit: std::time::Duration,
    },
    Files(Arc<dyn ObjectStore>),
}

impl Transport {
    /// Connects when first used. The error is one plain sentence.
    pub fn smtp(server: Server) -> Result<Self, String> {
        let tls = match server.security {
            Security::Plain => Tls::None,
            Security::Tls => Tls::Wrapper(parameters(&server)?),
            Security::StartTls => Tls::Required(parameters(&server)?),
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(server.host)
            .port(server.port)
            .tls(tls)
            .timeout(Some(server.timeout));
        if let Some((user, password)) = server.sign_in {
            builder = builder.credentials(Credentials::new(user, password));
        }
        Ok(Self::Smtp {
            server: builder.build(),
            limit: server.timeout,
        })
    }

    /// Sends it, or says why not and whether to try again.
    pub async fn send(&self, id: MailId, message: Message) -> Result<(), Failure> {
        match self {
            Self::Smtp { server, limit } => {
                match tokio::time::timeout(*limit, server.send(message)).await {
                    Ok(Ok(_)) => Ok(()),
                    Ok(Err(error)) => Err(judge(&error)),
                    Err(_) => Err(transient(
                        "mail_timeout",
                        "Meiliserver ei vastanud õigel ajal.",
                    )),
                }
            }
            Self::Files(store) => {
                let written = store.put(&file_path(id), message.formatted().into()).await;
                written.map(drop).map_err(|error| Failure::Transient {
                    code: "file_store".into(),
                    message: failure::excerpt(&error.to_string()),
                })
            }
        }
    }
}

fn parameters(server: &Server) -> Result<TlsParameters, String> {
    let mut builder = TlsParameters::builder(server.host.clone());
    if let Some(pem) = &server.roots {
        let root = Certificate::from_pem(pem)
            .map_err(|_| "SMTP_ROOTS_FILE has no certificate that can be read.".to_owned())?;
        builder = builder
            .certificate_store(CertificateStore::None)
            .add_root_certificate(root);
    }
    builder
        .build()
        .map_err(|error| format!("TLS to the SMTP server cannot be set up: {error}."))
}

fn transient(code: &str, message: &str) -> Failure {
    Failure::Transient {
        code: code.into(),
        message: message.into(),
    }
}

/// Replies that speak of us and not of the mail: authentication is wrong, missing or too weak. A setting mends them.
const OF_US: [u16; 4] = [530, 534, 535, 538];

fn judge(error: &smtp::Error) -> Failure {
    let Some(code) = error.status() else {
        return match () {
            () if error.is_timeout() => {
                transient("mail_timeout", "Meiliserver ei vastanud õigel ajal.")
            }
            () if error.is_tls() => transient(
                "mail_tls",
                "Turvaline ühendus meiliserveriga ei õnnestunud.",
            ),
            // A server that offers no STARTTLS, or no way to sign in that we know.
            () if error.is_client() => transient(
                "mail_server",
                "Meiliserver ei paku seda, mida seaded nõuavad.",
            ),
            () => transient(
                "mail_connection",
                "Ühendus meiliserveriga katkes või ei tekkinud.",
            ),
        };
    };
    let number: u16 = code.to_string().parse().unwrap_or_default();
    let said = error.source().map(ToString::to_string).unwrap_or_default();
    let message = format!("Meiliserver vastas {number}: {}", first_line(&said));
    let code = format!("smtp_{number}");
    if error.is_permanent() && !OF_US.contains(&number) {
        Failure::Permanent { code, message }
    } else {
        Failure::Transient { code, message }
    }
}

/// What the server said, without the addresses that it likes to repeat.
fn first_line(said: &str) -> String {
    let line = super::words::one_line(said.lines().next().unwrap_or_default(), 300);
    let words = line
        .split(' ')
        .map(|word| if word.contains('@') { "…" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_is_kept_without_addresses() {
        for (said, kept) in [
            (
                "5.1.1 <mari@example.ee>: unknown\nsecond",
                "5.1.1 … unknown",
            ),
            ("mailbox full", "mailbox full"),
            ("", ""),
        ] {
            assert_eq!(first_line(said), kept);
        }
    }
}
