//! Where alerts may be sent beside mail: hosts by an allow-list, public addresses alone, and how a message is enqueued.
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::OnceLock;

use serde_json::{Value, json};
use sqlx::PgConnection;
use url::{Host, Url};

use crate::ids::{JobId, TenantId};
use crate::jobs::{Kind, NewJob, enqueue};
use crate::{Error, Result, config};

/// The hosts that webhooks may go to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    allowed: Vec<(String, Option<u16>)>,
    /// Loopback is let through by name and port: for a receiver on the same machine.
    loopback: bool,
}

impl Hosts {
    /// `hosts` is `WEBHOOK_HOSTS`, by commas: a host, or host:port. `private` is `WEBHOOK_PRIVATE`, on or off: on lets loopback
    /// addresses through that are listed with their port, over plain http too.
    pub fn parse(hosts: &str, private: &str) -> Result<Self, String> {
        let loopback = match private.trim() {
            "" | "off" => false,
            "on" => true,
            other => return Err(format!("WEBHOOK_PRIVATE is on or off, not {other}.")),
        };
        let parts = hosts.split(',').map(str::trim).filter(|p| !p.is_empty());
        let allowed = parts.map(|part| {
            let url = Url::parse(&format!("https://{part}"))
                .ok()
                .filter(|url| url.path() == "/" && url.query().is_none() && !part.ends_with('/'))
                .filter(|url| url.username().is_empty() && url.password().is_none());
            let wrong = || format!("WEBHOOK_HOSTS: {part} is not a host or host:port.");
            let host = url.as_ref().and_then(Url::host_str).ok_or_else(wrong)?;
            // A URL forgets its scheme's own port; here it was said.
            let port = url.as_ref().and_then(Url::port);
            let port = port.or_else(|| part.ends_with(":443").then_some(443));
            Ok((host.to_owned(), port))
        });
        Ok(Self {
            allowed: allowed.collect::<Result<_, String>>()?,
            loopback,
        })
    }

    /// Of this process: `WEBHOOK_HOSTS` and `WEBHOOK_PRIVATE`.
    pub fn from_environment() -> Result<Self, String> {
        Self::parse(
            &config::text("WEBHOOK_HOSTS", ""),
            &config::text("WEBHOOK_PRIVATE", "off"),
        )
    }

    /// The URL, where a webhook may go there; otherwise a sentence.
    pub fn check(&self, url: &str) -> Result<Url, String> {
        if self.allowed.is_empty() {
            return Err(
                "Veebihaagid on välja lülitatud: lubatud servereid ei ole määratud.".into(),
            );
        }
        let url = Url::parse(url).map_err(|_| "Aadress ei ole korrektne URL.".to_owned())?;
        let host = url.host().ok_or("Aadressis puudub server.")?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err("Aadressis ei tohi olla kasutajanime ega parooli.".into());
        }
        if url.as_str().len() > 2_000 || url.fragment().is_some() {
            return Err("Aadress on liiga pikk või sisaldab märki #.".into());
        }
        let port = url.port_or_known_default();
        let listed = |exactly: bool| {
            self.allowed.iter().any(|(name, allowed)| {
                Some(name.as_str()) == url.host_str()
                    && match allowed {
                        Some(allowed) => Some(*allowed) == port,
                        None => !exactly && port == Some(443),
                    }
            })
        };
        if !listed(false) {
            return Err("Server ei ole lubatud serverite loetelus.".into());
        }
        let own = self.loopback && listed(true) && is_loopback(&host);
        match (url.scheme(), own) {
            ("https", _) | ("http", true) => {}
            _ => return Err("Aadress peab algama https://.".into()),
        }
        let literal = match host {
            Host::Ipv4(address) => Some(IpAddr::V4(address)),
            Host::Ipv6(address) => Some(IpAddr::V6(address)),
            Host::Domain(_) => None,
        };
        if literal.is_some_and(|address| !own && !is_public(address)) {
            return Err("Aadress viib sisevõrku.".into());
        }
        Ok(url)
    }

    /// Whether a connection to this resolved address of a checked URL's host may be made.
    pub fn may_connect(&self, host: &str, address: IpAddr) -> bool {
        let own = self.loopback
            && address.to_canonical().is_loopback()
            && self
                .allowed
                .iter()
                .any(|(name, port)| name == host && port.is_some())
            && Host::parse(host).is_ok_and(|host| is_loopback(&host));
        own || is_public(address)
    }
}

fn is_loopback<S: AsRef<str>>(host: &Host<S>) -> bool {
    match host {
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
        Host::Domain(name) => name.as_ref() == "localhost",
    }
}

/// Refuses a webhook's address early, where an alert rule is edited; by this process's settings.
pub fn check_url(url: &str) -> Result<()> {
    static HOSTS: OnceLock<Result<Hosts, String>> = OnceLock::new();
    let checked = match HOSTS.get_or_init(Hosts::from_environment) {
        Ok(hosts) => hosts.check(url).map(drop),
        Err(sentence) => Err(sentence.clone()),
    };
    checked.map_err(|sentence| Error::invalid("webhookUrl", sentence))
}

/// Enqueues a message in the transaction of its event; `id` names it for the receiver however often it is sent.
pub async fn enqueue_webhook(
    conn: &mut PgConnection,
    tenant: TenantId,
    url: &str,
    id: &str,
    body: &Value,
) -> Result<JobId> {
    let key = format!("webhook:{id}");
    let job = NewJob {
        args: Some(json!({"url": url, "id": id, "body": body})),
        unique_key: Some(&key),
        ..NewJob::new(Kind::SendWebhook, tenant)
    };
    enqueue(conn, &job).await
}

/// Whether an address lies on the public internet: whatever is private, local, shared, reserved or a wrapping of such is not.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Source: IANA IPv4 Special-Purpose Address Registry.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || a == 0
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (18..20).contains(&b))
        || a >= 240)
}

/// Only what is given out as global unicast, without what carries IPv4 or is set apart in it. Source: IANA IPv6 registry.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    if address.to_ipv4_mapped().is_some() {
        return false;
    }
    parts[0] & 0xe000 == 0x2000
        // 2001::/23, Teredo in it; documentation; 6to4; SRv6.
        && !(parts[0] == 0x2001 && parts[1] < 0x200)
        && !(parts[0] == 0x2001 && parts[1] == 0xdb8)
        && !(parts[0] == 0x3fff && parts[1] < 0x1000)
        && parts[0] != 0x2002
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        for (address, public) in [
            ("8.8.8.8", true),
            ("193.40.0.1", true),
            ("100.63.255.255", true),
            ("172.32.0.1", true),
            ("0.0.0.0", false),
            ("0.1.2.3", false),
            ("10.0.0.1", false),
            ("100.64.0.1", false),
            ("100.127.255.255", false),
            ("127.0.0.1", false),
            ("127.255.255.254", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.0.0.1", false),
            ("192.0.2.1", false),
            ("192.88.99.1", false),
            ("192.168.1.1", false),
            ("198.18.0.1", false),
            ("224.0.0.1", false),
            ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("2606:4700::1111", true),
            ("2a00:1450::1", true),
            ("::", false),
            ("::1", false),
            ("::127.0.0.1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:8.8.8.8", false),
            ("64:ff9b::7f00:1", false),
            ("64:ff9b:1::1", false),
            ("100::1", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("2002:7f00:1::1", false),
            ("3fff::1", false),
            ("5f00::1", false),
            ("fc00::1", false),
            ("fd12:3456::1", false),
            ("fe80::1", false),
            ("fec0::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
        }
    }

    #[test]
    fn urls_are_held_to_the_list() {
        let hosts = Hosts::parse(
            "hooks.example.ee, chat.example.ee:8443, 8.8.8.8, 10.0.0.1, 127.0.0.1:9000",
            "off",
        )
        .unwrap();
        for (url, fits) in [
            ("https://hooks.example.ee/x?y=1", true),
            ("https://HOOKS.example.ee/x", true),
            ("https://hooks.example.ee:443/x", true),
            ("https://8.8.8.8/x", true),
            ("https://chat.example.ee:8443/x", true),
            ("https://chat.example.ee/x", false),
            ("https://hooks.example.ee:8443/x", false),
            ("https://hooks.example.ee./x", false),
            ("https://hooks.example.ee.evil.ee/x", false),
            ("https://evil.ee/hooks.example.ee", false),
            ("https://hooks.example.ee@evil.ee/x", false),
            ("https://a:b@hooks.example.ee/x", false),
            ("http://hooks.example.ee/x", false),
            ("ftp://hooks.example.ee/x", false),
            ("file:///etc/passwd", false),
            ("gopher://hooks.example.ee/x", false),
            ("https://10.0.0.1/x", false),
            ("https://0x0a000001/x", false),
            ("https://127.0.0.1:9000/x", false),
            ("http://127.0.0.1:9000/x", false),
            ("https://hooks.example.ee/x#y", false),
            ("//hooks.example.ee/x", false),
            ("", false),
        ] {
            assert_eq!(hosts.check(url).is_ok(), fits, "{url}");
        }
        let sentence = Hosts::default()
            .check("https://hooks.example.ee/x")
            .unwrap_err();
        assert!(sentence.contains("välja lülitatud"), "{sentence}");
    }

    #[test]
    fn a_receiver_on_this_machine_is_named_with_its_port() {
        let hosts = Hosts::parse(
            "127.0.0.1:9000,localhost:9000,127.0.0.1,10.0.0.1:9000",
            "on",
        )
        .unwrap();
        for (url, fits) in [
            ("http://127.0.0.1:9000/x", true),
            ("http://localhost:9000/x", true),
            ("http://127.0.0.1:9001/x", false),
            ("http://127.0.0.1/x", false),
            ("https://127.0.0.1/x", false),
            ("http://10.0.0.1:9000/x", false),
        ] {
            assert_eq!(hosts.check(url).is_ok(), fits, "{url}");
        }
        let loopback: IpAddr = "127.0.0.1".parse().unwrap();
        assert!(hosts.may_connect("localhost", loopback));
        assert!(!hosts.may_connect("evil.example.ee", loopback));
        assert!(!hosts.may_connect("localhost", "10.0.0.1".parse().unwrap()));
    }

    #[test]
    fn a_wrong_setting_is_said() {
        for (hosts, private) in [
            ("https://a.ee", "off"),
            ("a.ee/x", "off"),
            ("a b", "off"),
            ("u@a.ee", "off"),
            ("a.ee", "yes"),
        ] {
            assert!(Hosts::parse(hosts, private).is_err(), "{hosts} {private}");
        }
    }
}
