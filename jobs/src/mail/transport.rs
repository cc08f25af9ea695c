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

/// Whether a refusal is of this mail or its reader. lettre does not say at which command it came: what is not plainly of the
/// mail may be of us (a sender that is blocked, a sign-in that is wrong, a server that rests), and whoever runs it mends that.
/// Source: RFC 5321 § 4.2.3, RFC 3463 § 3.
fn is_of_the_mail(code: u16, said: &str) -> bool {
    let enhanced = said.split_whitespace().next().unwrap_or_default();
    let mut numbers = enhanced.split('.').map(str::parse::<u16>);
    match (
        numbers.next(),
        numbers.next(),
        numbers.next(),
        numbers.next(),
    ) {
        // Addresses but the sender's, mailboxes, contents.
        (Some(Ok(5)), Some(Ok(subject)), Some(Ok(detail)), None) => match subject {
            1 => ![7, 8].contains(&detail),
            2 | 6 => true,
            3 => detail == 4,
            _ => false,
        },
        _ => matches!(code, 550..=553),
    }
}

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
    if error.is_permanent() && is_of_the_mail(number, &said) {
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
    fn only_what_is_of_the_mail_ends_it() {
        for (code, said, of_the_mail) in [
            (550, "5.1.1 no such person", true),
            (550, "No such person", true),
            (552, "5.2.2 mailbox full", true),
            (552, "5.3.4 too big", true),
            (553, "mailbox name not allowed", true),
            (550, "5.7.1 your address is on a list", false),
            (553, "5.1.8 sender refused", false),
            (554, "no service here", false),
            (535, "5.7.8 wrong password", false),
            (530, "", false),
            (503, "bad sequence", false),
        ] {
            assert_eq!(is_of_the_mail(code, said), of_the_mail, "{code} {said}");
        }
    }

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
