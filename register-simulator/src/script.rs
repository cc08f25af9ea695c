//! The script of misbehaviour: rules that pick calls, and what is done to a picked call.

use std::collections::{HashMap, HashSet};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

/// A span of milliseconds: one number, or from and to.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum Millis {
    Fixed(u64),
    Range([u64; 2]),
}

impl Millis {
    pub fn pick(self, rng: &mut StdRng) -> u64 {
        match self {
            Self::Fixed(ms) => ms,
            Self::Range([from, to]) if to > from => rng.random_range(from..=to),
            Self::Range([from, _]) => from,
        }
    }
}

/// What is done to a picked call.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Act {
    /// Waits before accepting; later rules still apply.
    Delay { ms: Millis },
    /// The register's own refusal, inside the response.
    Refuse { code: String, text: String },
    /// A SOAP fault of X-Road or the provider's server, HTTP 500.
    Fault { code: String, text: String },
    /// HTTP 500 with a page of HTML.
    Http500,
    /// Accepts and never answers.
    TimeoutAfterAccept,
    /// Bytes that mean nothing.
    Garbage,
    /// Half of the right answer, then the connection breaks.
    HalfBody,
    /// HTTP 200 with a page of HTML.
    Html200,
    /// An answer of many megabytes.
    Huge {
        #[serde(default = "fifty_megabytes")]
        bytes: u64,
    },
    /// The right answer in another charset than it says.
    WrongCharset,
    /// Accepts, and answers that the message was accepted before.
    Duplicate,
    /// The right answer twice in one body.
    DoubleAnswer,
    /// The right answer under another message id.
    WrongEcho,
    /// The right answer about another proceeding.
    WrongNumber,
    /// Accepts, tells `url` where given, and holds the answer until released or the caller is gone.
    KillHook { url: Option<String> },
}

fn fifty_megabytes() -> u64 {
    50 * 1024 * 1024
}

impl Act {
    /// The act's name in a script.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Delay { .. } => "delay",
            Self::Refuse { .. } => "refuse",
            Self::Fault { .. } => "fault",
            Self::Http500 => "http500",
            Self::TimeoutAfterAccept => "timeout_after_accept",
            Self::Garbage => "garbage",
            Self::HalfBody => "half_body",
            Self::Html200 => "html200",
            Self::Huge { .. } => "huge",
            Self::WrongCharset => "wrong_charset",
            Self::Duplicate => "duplicate",
            Self::DoubleAnswer => "double_answer",
            Self::WrongEcho => "wrong_echo",
            Self::WrongNumber => "wrong_number",
            Self::KillHook { .. } => "kill_hook",
        }
    }

    /// Whether the order takes effect, where the rule doesn't say.
    pub fn accepts(&self) -> bool {
        !matches!(
            self,
            Self::Refuse { .. } | Self::Fault { .. } | Self::Http500 | Self::Html200
        )
    }
}

/// A rule: all its conditions must hold; one without any picks every call.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// X-Road service code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Only these case numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<HashSet<String>>,
    /// Each n-th of the calls that the conditions above let through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    /// This share of the calls, 0 to 1, drawn by `seed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// At most so often in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
    /// At most so often for one case number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_per_number: Option<u64>,
    /// Whether the order takes effect; by default as the act's own nature is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept: Option<bool>,
    pub act: Act,
}

impl Rule {
    /// A rule that picks every call.
    pub fn always(act: Act) -> Self {
        Self {
            operation: None,
            numbers: None,
            every: None,
            share: None,
            seed: None,
            times: None,
            times_per_number: None,
            accept: None,
            act,
        }
    }
}

/// A rule with what it has seen and done.
#[derive(Serialize)]
pub struct Active {
    #[serde(flatten)]
    rule: Rule,
    seen: u64,
    applied: u64,
    #[serde(skip)]
    rng: StdRng,
    #[serde(skip)]
    per_number: HashMap<String, u64>,
}

/// What to do with one call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub delay_ms: u64,
    /// The act and whether the order takes effect.
    pub act: Option<(Act, bool)>,
}

/// All rules, in the order they were given; at most a thousand.
#[derive(Default)]
pub struct Script {
    rules: Vec<Active>,
}

const MOST_RULES: usize = 1_000;

impl Script {
    /// Adds rules after those there are; says what is wrong with the first bad one.
    pub fn add(&mut self, rules: Vec<Rule>) -> Result<(), String> {
        if self.rules.len() + rules.len() > MOST_RULES {
            return Err(format!("more than {MOST_RULES} rules"));
        }
        for (index, rule) in rules.iter().enumerate() {
            if rule.every == Some(0) {
                return Err(format!("rule {index}: every must be at least 1"));
            }
            if rule
                .share
                .is_some_and(|share| !(0.0..=1.0).contains(&share))
            {
                return Err(format!("rule {index}: share must lie between 0 and 1"));
            }
        }
        self.rules.extend(rules.into_iter().map(|rule| Active {
            rng: StdRng::seed_from_u64(rule.seed.unwrap_or(1)),
            seen: 0,
            applied: 0,
            per_number: HashMap::new(),
            rule,
        }));
        Ok(())
    }

    pub fn clear(&mut self) {
        self.rules.clear();
    }

    pub fn rules(&self) -> &[Active] {
        &self.rules
    }

    /// Asks the rules in order; delays add up, the first other act wins.
    pub fn decide(&mut self, operation: &str, number: &str) -> Plan {
        let mut plan = Plan::default();
        for active in &mut self.rules {
            if !active.picks(operation, number) {
                continue;
            }
            match &active.rule.act {
                Act::Delay { ms } => plan.delay_ms += ms.pick(&mut active.rng),
                act => {
                    plan.act = Some((act.clone(), active.rule.accept.unwrap_or(act.accepts())));
                    break;
                }
            }
        }
        plan
    }
}

impl Active {
    fn picks(&mut self, operation: &str, number: &str) -> bool {
        let rule = &self.rule;
        if rule
            .operation
            .as_deref()
            .is_some_and(|wanted| wanted != operation)
            || rule
                .numbers
                .as_ref()
                .is_some_and(|numbers| !numbers.contains(number))
        {
            return false;
        }
        self.seen += 1;
        let in_turn = rule
            .every
            .is_none_or(|every| self.seen.is_multiple_of(every));
        // Drawn for each call, so that the sequence depends on nothing but the seed.
        let drawn = rule
            .share
            .is_none_or(|share| self.rng.random::<f64>() < share);
        if !in_turn || !drawn || rule.times.is_some_and(|times| self.applied >= times) {
            return false;
        }
        if let Some(most) = rule.times_per_number {
            let so_far = self.per_number.entry(number.to_owned()).or_default();
            if *so_far >= most {
                return false;
            }
            *so_far += 1;
        }
        self.applied += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(rule: Rule, calls: &[&str]) -> Vec<bool> {
        let mut script = Script::default();
        script.add(vec![rule]).unwrap();
        calls
            .iter()
            .map(|number| script.decide("Op", number).act.is_some())
            .collect()
    }

    #[test]
    fn conditions_pick_as_they_say() {
        let rule = Rule::always(Act::Http500);
        assert_eq!(
            hits(
                Rule {
                    every: Some(3),
                    ..rule.clone()
                },
                &["a"; 6]
            ),
            [false, false, true, false, false, true]
        );
        assert_eq!(
            hits(
                Rule {
                    times: Some(1),
                    ..rule.clone()
                },
                &["a"; 3]
            ),
            [true, false, false]
        );
        assert_eq!(
            hits(
                Rule {
                    times_per_number: Some(1),
                    ..rule.clone()
                },
                &["a", "a", "b"]
            ),
            [true, false, true]
        );
        let numbers = Some(HashSet::from(["b".to_owned()]));
        assert_eq!(
            hits(
                Rule {
                    numbers,
                    ..rule.clone()
                },
                &["a", "b"]
            ),
            [false, true]
        );
        assert_eq!(
            hits(
                Rule {
                    operation: Some("Other".into()),
                    ..rule
                },
                &["a"]
            ),
            [false]
        );
    }

    #[test]
    fn a_share_is_repeatable_by_its_seed() {
        let rule = Rule {
            share: Some(0.3),
            seed: Some(7),
            ..Rule::always(Act::Http500)
        };
        let first = hits(rule.clone(), &["a"; 1000]);
        assert_eq!(first, hits(rule, &["b"; 1000]));
        let count = first.iter().filter(|hit| **hit).count();
        assert!((250..350).contains(&count), "{count}");
    }

    #[test]
    fn delays_add_to_the_first_other_act() {
        let mut script = Script::default();
        let delay = Rule::always(Act::Delay {
            ms: Millis::Fixed(5),
        });
        script
            .add(vec![
                delay.clone(),
                delay,
                Rule::always(Act::Garbage),
                Rule::always(Act::Http500),
            ])
            .unwrap();
        assert_eq!(
            script.decide("Op", "a"),
            Plan {
                delay_ms: 10,
                act: Some((Act::Garbage, true))
            }
        );
    }

    #[test]
    fn rules_are_read_as_documented() {
        let text = r#"[{"every":10,"act":{"refuse":{"code":"x","text":"y"}}},{"share":0.5,"seed":3,"act":"http500","accept":true},
            {"numbers":["101/2024/1"],"times_per_number":1,"act":{"kill_hook":{}}},{"act":{"delay":{"ms":[20,80]}}},{"act":{"huge":{}}}]"#;
        let rules: Vec<Rule> = serde_json::from_str(text).unwrap();
        assert_eq!(rules.len(), 5);
        assert!(serde_json::from_str::<Rule>(r#"{"act":"http500","evry":3}"#).is_err());
    }
}
