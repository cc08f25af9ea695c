//! How mail leaves: the SMTP server, its security and sign-in, and who it comes from. A wrong setting is one plain sentence.
use std::time::Duration;

use domain::config;
use lettre::message::Mailbox;
use url::{Host, Url};

use super::tell::Site;

/// What `main` reads from the environment.
pub struct Config {
    /// None: mails go to files.
    pub server: Option<Server>,
    pub from: Mailbox,
    pub site: Site,
}

const FROM: &str = "Toimik <toimik@localhost>";
const SITE: &str = "http://127.0.0.1:8080";

pub struct Server {
    pub host: String,
    pub port: u16,
    pub security: Security,
    /// User and password.
    pub sign_in: Option<(String, String)>,
    /// Of a whole conversation.
    pub timeout: Duration,
    /// The only roots to trust, as PEM; none: those of the machine.
    pub roots: Option<Vec<u8>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// From the first byte: smtps://
    Tls,
    /// By STARTTLS, or nothing is sent.
    StartTls,
    Plain,
}

impl Config {
    /// `SMTP_URL`, `SMTP_USER`, `SMTP_PASSWORD_FILE`, `SMTP_ROOTS_FILE`, `SMTP_TIMEOUT_S`, `MAIL_FROM`, `TOIMIK_URL`.
    pub fn from_environment() -> Result<Self, String> {
        let file = |name: &str, path: String| {
            std::fs::read(&path).map_err(|e| format!("{name} {path} cannot be read: {e}."))
        };
        let user = config::text("SMTP_USER", "");
        let password = match config::text("SMTP_PASSWORD_FILE", "") {
            path if path.is_empty() => String::new(),
            path => {
                let text = String::from_utf8_lossy(&file("SMTP_PASSWORD_FILE", path)?).into_owned();
                text.lines().next().unwrap_or_default().to_owned()
            }
        };
        let roots = match config::text("SMTP_ROOTS_FILE", "") {
            path if path.is_empty() => None,
            path => Some(file("SMTP_ROOTS_FILE", path)?),
        };
        let timeout = config::number("SMTP_TIMEOUT_S", 60, 1..=300)?;
        let server = match config::text("SMTP_URL", "") {
            url if url.trim().is_empty() => None,
            url => Some(Server {
                timeout: Duration::from_secs(u64::try_from(timeout).unwrap_or(60)),
                roots,
                ..Server::parse(url.trim(), &user, &password)?
            }),
        };
        Self::new(
            server,
            &config::text("MAIL_FROM", FROM),
            &config::text("TOIMIK_URL", SITE),
        )
    }

    /// Mails to files, from and for this machine.
    pub fn to_files() -> Self {
        Self::new(None, FROM, SITE).expect("the defaults are right")
    }

    pub fn new(server: Option<Server>, from: &str, site: &str) -> Result<Self, String> {
        Ok(Self {
            server,
            from: from.parse().map_err(|_| {
                format!("MAIL_FROM is an address, as Toimik <toimik@example.ee>, not '{from}'.")
            })?,
            site: Site::new(site)?,
        })
    }
}

impl Server {
    /// `smtps://host`, `smtp://host?tls=required`, or `smtp://host?tls=none` where plain text was meant; a user and password
    /// in the address or beside it. A minute a mail, the machine's roots.
    pub fn parse(text: &str, user: &str, password: &str) -> Result<Self, String> {
        // Said without the address: a password may stand in it.
        let wrong = || {
            "SMTP_URL is smtps://host or smtp://host?tls=required, with user:password@ and :port where needed.".to_owned()
        };
        let url = Url::parse(text).map_err(|_| wrong())?;
        let host = url
            .host_str()
            .filter(|host| !host.is_empty())
            .ok_or_else(wrong)?;
        if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return Err(wrong());
        }
        let tls: Vec<_> = url.query_pairs().into_owned().collect();
        let tls = match tls.as_slice() {
            [] => None,
            [(name, value)] if name == "tls" => Some(value.as_str()),
            _ => return Err(wrong()),
        };
        let local = is_local(host);
        let security = match (url.scheme(), tls) {
            ("smtps", None | Some("wrapper")) => Security::Tls,
            ("smtp", Some("required")) => Security::StartTls,
            ("smtp", Some("none")) => Security::Plain,
            ("smtp", None) if local => Security::Plain,
            ("smtp", None) => {
                return Err("SMTP_URL would send in plain text: add ?tls=required for STARTTLS, or ?tls=none where the network is trusted.".into());
            }
            _ => return Err(wrong()),
        };
        let decode = |part: &str| percent_decoded(part).ok_or_else(wrong);
        let in_url = (
            decode(url.username())?,
            decode(url.password().unwrap_or_default())?,
        );
        let sign_in = match (in_url.0.is_empty(), user.is_empty()) {
            (true, true) => None,
            (false, true) => Some(in_url),
            (true, false) => Some((user.to_owned(), password.to_owned())),
            (false, false) => {
                return Err(
                    "The SMTP user stands in SMTP_URL and in SMTP_USER; one is enough.".into(),
                );
            }
        };
        if sign_in
            .as_ref()
            .is_some_and(|(_, password)| password.is_empty())
        {
            return Err("The SMTP user has no password: set SMTP_PASSWORD_FILE.".into());
        }
        if sign_in.is_some() && security == Security::Plain && !local {
            return Err(
                "SMTP_URL would send the password in plain text: use smtps:// or ?tls=required."
                    .into(),
            );
        }
        let standard = match security {
            Security::Tls => 465,
            Security::StartTls => 587,
            Security::Plain => 25,
        };
        Ok(Self {
            host: host
                .trim_start_matches('[')
                .trim_end_matches(']')
                .to_owned(),
            port: url.port().unwrap_or(standard),
            security,
            sign_in,
            timeout: Duration::from_secs(60),
            roots: None,
        })
    }
}

fn is_local(host: &str) -> bool {
    match Host::parse(host) {
        Ok(Host::Ipv4(address)) => address.is_loopback(),
        Ok(Host::Ipv6(address)) => address.is_loopback(),
        Ok(Host::Domain(name)) => name == "localhost",
        Err(_) => false,
    }
}

/// A part of a URL as it was meant; none where that is not a text.
fn percent_decoded(part: &str) -> Option<String> {
    let pair = format!("p={}", part.replace('+', "%2B"));
    let (_, value) = url::form_urlencoded::parse(pair.as_bytes()).next()?;
    (!value.contains('\u{fffd}')).then(|| value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_servers_say_how_they_are_secured() {
        for (url, host, port, security) in [
            (
                "smtps://mail.example.ee",
                "mail.example.ee",
                465,
                Security::Tls,
            ),
            (
                "smtps://mail.example.ee:2465",
                "mail.example.ee",
                2465,
                Security::Tls,
            ),
            (
                "smtp://mail.example.ee?tls=required",
                "mail.example.ee",
                587,
                Security::StartTls,
            ),
            ("smtp://mail:1025?tls=none", "mail", 1025, Security::Plain),
            ("smtp://127.0.0.1:1025", "127.0.0.1", 1025, Security::Plain),
            ("smtp://localhost/", "localhost", 25, Security::Plain),
            ("smtp://[::1]:1025", "::1", 1025, Security::Plain),
        ] {
            let server = Server::parse(url, "", "").unwrap();
            assert_eq!(
                (server.host.as_str(), server.port, server.security),
                (host, port, security),
                "{url}"
            );
        }
        let server =
            Server::parse("smtps://toimik%40ee:p%C3%B5+%3A@mail.example.ee", "", "").unwrap();
        assert_eq!(server.sign_in, Some(("toimik@ee".into(), "põ+:".into())));
        let server = Server::parse("smtps://mail.example.ee", "u", "p").unwrap();
        assert_eq!(server.sign_in, Some(("u".into(), "p".into())));
    }

    #[test]
    fn a_wrong_server_is_refused_and_its_password_not_said() {
        for (url, user, password) in [
            ("", "", ""),
            ("mail.example.ee", "", ""),
            ("http://mail.example.ee", "", ""),
            ("smtp://mail.example.ee", "", ""),
            ("smtp://mail.example.ee?tls=opportunistic", "", ""),
            ("smtp://mail.example.ee?tsl=required", "", ""),
            ("smtps://mail.example.ee/path", "", ""),
            ("smtp://u:secret@mail.example.ee?tls=none", "", ""),
            ("smtp://mail.example.ee?tls=none", "u", "secret"),
            ("smtps://u@mail.example.ee", "", ""),
            ("smtps://u:secret@mail.example.ee", "u", "secret"),
        ] {
            let sentence = Server::parse(url, user, password)
                .err()
                .unwrap_or_else(|| panic!("{url}"));
            assert!(
                sentence.ends_with('.') && !sentence.contains("secret"),
                "{sentence}"
            );
        }
        for (from, site) in [
            ("Toimik", "http://127.0.0.1:8080"),
            ("toimik@example.ee", "127.0.0.1:8080"),
            ("toimik@example.ee", "https://toimik.example.ee/x"),
            ("toimik@example.ee", "javascript:alert(1)"),
        ] {
            assert!(Config::new(None, from, site).is_err(), "{from} {site}");
        }
    }
}
