//! Configuration from the environment, each with its default; a wrong one is one plain sentence.
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

#[derive(Debug, Clone)]
pub struct Config {
    /// `HOST`, by default 127.0.0.1: the address it listens on.
    pub host: IpAddr,
    /// `PORT`, by default 8080.
    pub port: u16,
    /// `DATABASE_URL_FILE` or `DATABASE_URL`: the api's own login.
    pub database: PgConnectOptions,
    /// `METRICS_PORT`, by default none: the loopback port of /metrics.
    pub metrics_port: Option<u16>,
    /// `API_POOL`, by default 16 connections, and a quarter of that for sign-in.
    pub pool: u32,
    /// `CONSOLE_DIR`, by default `console/dist`: the built files of the console.
    pub console_dir: PathBuf,
    /// `TOIMIK_DATA`: the folder of data; uploaded files lie in `files` there, unless `TOIMIK_FILES` names other storage.
    pub data_dir: PathBuf,
    pub files: Option<String>,
    /// `TRUSTED_PROXIES`, by default none: addresses whose X-Forwarded-For and X-Forwarded-Proto count.
    pub trusted_proxies: Vec<IpAddr>,
    /// `TOIMIK_ENVIRONMENT`, `prod`, `test` or `dev`, by default prod: which feature flags are on.
    pub environment: String,
    /// `API_DOCS`, `on` or `off`, by default off: serves /api/docs and /api/openapi.json.
    pub docs: bool,
    /// `TRACE_URL`, by default none: where a trace is looked at, `{id}` for its id.
    pub trace_url: Option<String>,
    /// `RECEIVE_TIMEOUT_S`, by default 15: headers and JSON bodies must have arrived by then.
    pub receive_timeout_s: u64,
    /// `UPLOAD_TIMEOUT_S`, by default 30: how long an upload may go without a byte.
    pub upload_timeout_s: u64,
    /// `STOP_NOTICE_S`, by default 3: how long it still takes requests after a stop was asked for, while /readyz says so.
    pub stop_notice_s: u64,
}

impl Config {
    pub fn from_env() -> Result<Self, String> {
        Self::read(&domain::config::get)
    }

    /// Reads every setting through `get`, so that tests need no environment.
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let trusted = get("TRUSTED_PROXIES").unwrap_or_default();
        Ok(Self {
            host: match get("HOST") {
                None => IpAddr::from([127, 0, 0, 1]),
                Some(text) => text
                    .parse()
                    .map_err(|_| format!("HOST is not an IP address: {text}."))?,
            },
            port: number(get, "PORT", 8080)?,
            database: domain::config::database(get)?,
            metrics_port: get("METRICS_PORT")
                .map(|_| number(get, "METRICS_PORT", 0))
                .transpose()?,
            pool: number(get, "API_POOL", 16)?,
            files: get("TOIMIK_FILES"),
            console_dir: get("CONSOLE_DIR")
                .unwrap_or_else(|| "console/dist".into())
                .into(),
            data_dir: get("TOIMIK_DATA").ok_or("TOIMIK_DATA is not set.")?.into(),
            trusted_proxies: trusted
                .split(',')
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .map(|part| {
                    part.parse()
                        .map_err(|_| format!("TRUSTED_PROXIES: {part} is not an IP address."))
                })
                .collect::<Result<_, _>>()?,
            environment: match get("TOIMIK_ENVIRONMENT").as_deref() {
                None => "prod".into(),
                Some(name @ ("prod" | "test" | "dev")) => name.into(),
                Some(other) => {
                    return Err(format!(
                        "TOIMIK_ENVIRONMENT is prod, test or dev, not {other}."
                    ));
                }
            },
            docs: match get("API_DOCS").as_deref() {
                Some("on") => true,
                None | Some("off") => false,
                Some(other) => return Err(format!("API_DOCS is on or off, not {other}.")),
            },
            trace_url: match get("TRACE_URL") {
                Some(url) if !url.starts_with("http") || !url.contains("{id}") => {
                    return Err(format!(
                        "TRACE_URL is an address with {{id}} in it, not {url}."
                    ));
                }
                url => url,
            },
            receive_timeout_s: number(get, "RECEIVE_TIMEOUT_S", 15)?,
            upload_timeout_s: number(get, "UPLOAD_TIMEOUT_S", 30)?,
            stop_notice_s: match get("STOP_NOTICE_S").as_deref() {
                Some("0") => 0,
                _ => number(get, "STOP_NOTICE_S", 3)?,
            },
        })
    }
}

fn number<T: FromStr + TryFrom<u64>>(
    get: &dyn Fn(&str) -> Option<String>,
    name: &str,
    default: T,
) -> Result<T, String> {
    match get(name) {
        None => Ok(default),
        Some(text) => match text.parse::<u64>() {
            Ok(number) if number > 0 => {
                T::try_from(number).map_err(|_| format!("{name} is too large: {text}."))
            }
            _ => Err(format!("{name} is a whole number above 0, not {text}.")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Config, String> {
        let all = [
            ("DATABASE_URL", "postgres://toimik_api@localhost/toimik"),
            ("TOIMIK_DATA", "/tmp"),
        ];
        let get = |name: &str| {
            let found = pairs.iter().chain(&all).find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Config::read(&get)
    }

    #[test]
    fn says_plainly_what_is_wrong() {
        assert_eq!(read(&[]).unwrap().port, 8080);
        for (name, value, sentence) in [
            ("HOST", "localhost", "HOST is not an IP address: localhost."),
            ("PORT", "http", "PORT is a whole number above 0, not http."),
            ("PORT", "99999", "PORT is too large: 99999."),
            (
                "TOIMIK_ENVIRONMENT",
                "live",
                "TOIMIK_ENVIRONMENT is prod, test or dev, not live.",
            ),
            ("API_DOCS", "yes", "API_DOCS is on or off, not yes."),
            (
                "TRACE_URL",
                "https://jaeger",
                "TRACE_URL is an address with {id} in it, not https://jaeger.",
            ),
            (
                "TRUSTED_PROXIES",
                "10.0.0.1, proxy",
                "TRUSTED_PROXIES: proxy is not an IP address.",
            ),
        ] {
            assert_eq!(read(&[(name, value)]).unwrap_err(), sentence);
        }
    }
}
