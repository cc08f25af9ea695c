//! Where the registers are and who asks: filled by the caller from the environment, checked here.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::Url;

/// Bounds on an answer, so that a broken register can exhaust neither memory nor time.
#[derive(Clone, Debug)]
pub struct Limits {
    pub answer_bytes: usize,
    pub depth: usize,
    /// Attributes of one element.
    pub attributes: usize,
    pub elements: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answer_bytes: 5 * 1024 * 1024,
            depth: 64,
            attributes: 64,
            elements: 100_000,
        }
    }
}

/// An X-Road subsystem: `INSTANCE/CLASS/MEMBER/SUBSYSTEM`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub instance: String,
    pub class: String,
    pub code: String,
    pub subsystem: String,
}

/// A setting that cannot be used, said in one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {problem}")]
pub struct ConfigError {
    pub name: String,
    pub problem: String,
}

impl ConfigError {
    pub(crate) fn new(name: &str, problem: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            problem: problem.into(),
        }
    }
}

impl Member {
    /// Reads `INSTANCE/CLASS/MEMBER/SUBSYSTEM`; each part has only the characters X-Road allows.
    pub fn parse(name: &str, text: &str) -> Result<Self, ConfigError> {
        let parts: Vec<&str> = text.split('/').collect();
        let [instance, class, code, subsystem] = parts[..] else {
            return Err(ConfigError::new(
                name,
                "expected INSTANCE/CLASS/MEMBER/SUBSYSTEM",
            ));
        };
        if parts.iter().any(|part| !is_identifier(part)) {
            return Err(ConfigError::new(
                name,
                "a part is empty or has characters X-Road does not allow",
            ));
        }
        Ok(Self {
            instance: instance.into(),
            class: class.into(),
            code: code.into(),
            subsystem: subsystem.into(),
        })
    }
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || "'()+,-.=?_".contains(c))
}

/// Where the register simulator listens when nothing is set.
const DEFAULT_URL: &str = "http://127.0.0.1:8090/xroad";

/// Everything a client of the registers needs to know.
#[derive(Clone)]
pub struct Config {
    /// The security server; `http` or `https`.
    pub url: Url,
    pub client: Member,
    /// The national enforcement register.
    pub tarn: Member,
    /// Whether the register offers the assumed service `TaitemenetluseOlek`.
    pub tarn_state_service: bool,
    pub connect_timeout: Duration,
    /// Replaces the time-out of every operation where set.
    pub call_timeout: Option<Duration>,
    pub limits: Limits,
    /// Client certificate and key, PEM.
    pub identity_pem: Option<Vec<u8>>,
    /// The only roots to trust, PEM; the system's where absent.
    pub roots_pem: Option<Vec<u8>>,
}

impl Config {
    /// Defaults for a security server at `url`, with test identifiers.
    pub fn new(url: &str) -> Result<Self, ConfigError> {
        Ok(Self {
            url: check_url(url)?,
            client: Member::parse("XROAD_CLIENT", "ee-test/GOV/70000000/backoffice")?,
            tarn: Member::parse("TARN_MEMBER", "ee-test/GOV/70000310/tarn")?,
            tarn_state_service: true,
            connect_timeout: Duration::from_secs(5),
            call_timeout: None,
            limits: Limits::default(),
            identity_pem: None,
            roots_pem: None,
        })
    }

    /// Fills a configuration from named settings, normally the environment's.
    ///
    /// `TARN_URL` (by default the simulator's own), `XROAD_CLIENT`, `TARN_MEMBER`, `TARN_STATE_SERVICE` (on/off), `XROAD_CONNECT_TIMEOUT_MS`,
    /// `XROAD_CALL_TIMEOUT_MS`, `XROAD_ANSWER_BYTES`, `XROAD_IDENTITY_FILE`, `XROAD_ROOTS_FILE`.
    pub fn from_settings(get: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let get = |name: &str| get(name).filter(|value| !value.trim().is_empty());
        let url = get("TARN_URL").unwrap_or_else(|| DEFAULT_URL.to_owned());
        let mut config = Self::new(url.trim())?;
        if let Some(text) = get("XROAD_CLIENT") {
            config.client = Member::parse("XROAD_CLIENT", text.trim())?;
        }
        if let Some(text) = get("TARN_MEMBER") {
            config.tarn = Member::parse("TARN_MEMBER", text.trim())?;
        }
        if let Some(text) = get("TARN_STATE_SERVICE") {
            config.tarn_state_service = match text.trim() {
                "on" | "true" | "1" => true,
                "off" | "false" | "0" => false,
                _ => return Err(ConfigError::new("TARN_STATE_SERVICE", "expected on or off")),
            };
        }
        let number = |name: &str| match get(name) {
            None => Ok(None),
            Some(text) => match text.trim().parse::<u64>() {
                Ok(value) if value > 0 => Ok(Some(value)),
                _ => Err(ConfigError::new(name, "expected a positive whole number")),
            },
        };
        if let Some(ms) = number("XROAD_CONNECT_TIMEOUT_MS")? {
            config.connect_timeout = Duration::from_millis(ms);
        }
        config.call_timeout = number("XROAD_CALL_TIMEOUT_MS")?.map(Duration::from_millis);
        if let Some(bytes) = number("XROAD_ANSWER_BYTES")? {
            config.limits.answer_bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        }
        let file = |name: &str| match get(name) {
            None => Ok(None),
            Some(path) => std::fs::read(path.trim())
                .map(Some)
                .map_err(|error| ConfigError::new(name, format!("cannot be read: {error}"))),
        };
        config.identity_pem = file("XROAD_IDENTITY_FILE")?;
        config.roots_pem = file("XROAD_ROOTS_FILE")?;
        Ok(config)
    }
}

fn check_url(text: &str) -> Result<Url, ConfigError> {
    let bad = |problem: &str| ConfigError::new("TARN_URL", problem);
    let url = Url::parse(text).map_err(|_| bad("is not an address"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad("must start with http:// or https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad("must not carry a name or password"));
    }
    let host = url.host_str().ok_or_else(|| bad("has no host"))?;
    if let Ok(address) = host.trim_matches(['[', ']']).parse::<IpAddr>()
        && is_forbidden(address)
    {
        return Err(bad("points to an address that no register can have"));
    }
    Ok(url)
}

/// Link-local (cloud metadata), unspecified and multicast addresses never belong to a register.
pub(crate) fn is_forbidden(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            v4.is_link_local() || v4.is_unspecified() || v4.is_multicast() || v4.is_broadcast()
        }
        IpAddr::V6(v6) => v6.is_unicast_link_local() || v6.is_unspecified() || v6.is_multicast(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_to_a_register_and_nowhere_else() {
        for (url, expected) in [
            ("http://127.0.0.1:8090/xroad", true),
            ("https://turvaserver.naidis.ee/", true),
            ("https://10.1.2.3/", true),
            ("file:///etc/passwd", false),
            ("gopher://127.0.0.1:6379/_FLUSHALL", false),
            ("ftp://127.0.0.1/", false),
            ("http://user:secret@127.0.0.1/", false),
            ("http://169.254.169.254/latest/meta-data", false),
            ("http://2852039166/", false),
            ("http://0xa9.0xfe.0xa9.0xfe/", false),
            ("http://[::ffff:169.254.169.254]/", false),
            ("http://[fe80::1]/", false),
            ("http://0.0.0.0/", false),
            ("http://[::]/", false),
            ("http://224.0.0.1/", false),
            ("http://255.255.255.255/", false),
            ("127.0.0.1:8090", false),
            ("", false),
        ] {
            assert_eq!(Config::new(url).is_ok(), expected, "{url}");
        }
    }
}
