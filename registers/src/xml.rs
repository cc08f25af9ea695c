//! A small bounded XML tree: no DOCTYPE, no entities of the document's own, limited depth, attributes and elements.

mod tags;

use quick_xml::Reader;
use quick_xml::escape::escape;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::Limits;

/// Namespaces that matter here.
pub const SOAP: &str = "http://schemas.xmlsoap.org/soap/envelope/";
pub const XROAD: &str = "http://x-road.eu/xsd/xroad.xsd";
pub const IDENTIFIERS: &str = "http://x-road.eu/xsd/identifiers";

/// One element: its namespace, local name, own text and children; attributes are not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    pub namespace: Option<String>,
    pub name: String,
    pub text: String,
    pub children: Vec<Element>,
    /// `xsi:nil="true"`: present but without a value.
    pub nil: bool,
}

/// Why a text is not accepted as XML.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum XmlError {
    #[error("a DOCTYPE is not allowed")]
    Doctype,
    #[error("the entity {0} is not allowed")]
    Entity(String),
    #[error("nested deeper than {0}")]
    Depth(usize),
    #[error("more than {0} attributes on one element")]
    Attributes(usize),
    #[error("more than {0} elements")]
    Elements(usize),
    #[error("not well-formed: {0}")]
    Malformed(String),
}

impl Element {
    /// The first child of this local name, whatever its namespace.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The first child of this namespace and local name.
    pub fn child_in(&self, namespace: &str, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.is(namespace, name))
    }

    /// True when the element has this namespace and local name.
    pub fn is(&self, namespace: &str, name: &str) -> bool {
        self.name == name && self.namespace.as_deref() == Some(namespace)
    }

    /// The trimmed text of a child; absent, nil and empty are all `None`.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.child(name).and_then(Element::trimmed)
    }

    /// The element's own trimmed text, `None` when nil or empty.
    pub fn trimmed(&self) -> Option<&str> {
        Some(self.text.trim()).filter(|text| !self.nil && !text.is_empty())
    }
}

/// Prefixes in scope: the depth that declared it, the prefix, the namespace.
type Scope = Vec<(usize, String, String)>;

/// Reads a whole document within the limits.
pub fn parse(text: &str, limits: &Limits) -> Result<Element, XmlError> {
    if !tags::within(text, limits.attributes) {
        return Err(XmlError::Attributes(limits.attributes));
    }
    let mut reader = Reader::from_str(text);
    let mut scope = Scope::new();
    let mut open: Vec<Element> = Vec::new();
    let mut root = None;
    let mut elements = 0;
    loop {
        match reader.read_event().map_err(|error| malformed(&error))? {
            Event::DocType(_) => return Err(XmlError::Doctype),
            Event::Start(tag) => {
                if root.is_some() {
                    return Err(malformed("a second root element"));
                }
                let element = begin(&tag, open.len(), &mut scope, &mut elements, limits)?;
                open.push(element);
            }
            Event::Empty(tag) => {
                let element = begin(&tag, open.len(), &mut scope, &mut elements, limits)?;
                attach(element, &mut open, &mut root, &mut scope)?;
            }
            Event::End(_) => {
                let element = open
                    .pop()
                    .ok_or_else(|| malformed("an end without a beginning"))?;
                attach(element, &mut open, &mut root, &mut scope)?;
            }
            Event::Text(piece) => add_text(&piece.xml10_content(), &mut open)?,
            Event::CData(piece) => add_text(&piece.xml10_content(), &mut open)?,
            Event::GeneralRef(reference) => {
                let c = resolve(&reference)?;
                add_text(c.encode_utf8(&mut [0; 4]), &mut open)?;
            }
            Event::Comment(_) | Event::PI(_) | Event::Decl(_) => {}
            Event::Eof => break,
        }
    }
    if !open.is_empty() {
        return Err(malformed("the document ends inside an element"));
    }
    root.ok_or_else(|| malformed("no root element"))
}

fn malformed(problem: impl ToString) -> XmlError {
    XmlError::Malformed(
        crate::mask::excerpt(&problem.to_string())
            .chars()
            .take(200)
            .collect(),
    )
}

fn begin(
    tag: &BytesStart,
    depth: usize,
    scope: &mut Scope,
    elements: &mut usize,
    limits: &Limits,
) -> Result<Element, XmlError> {
    *elements += 1;
    if *elements > limits.elements {
        return Err(XmlError::Elements(limits.elements));
    }
    if depth >= limits.depth {
        return Err(XmlError::Depth(limits.depth));
    }
    let mut nil = false;
    // The reader's own check for duplicates is quadratic, and the count bounds ours.
    for (index, attribute) in tag.attributes().with_checks(false).enumerate() {
        if index >= limits.attributes {
            return Err(XmlError::Attributes(limits.attributes));
        }
        let attribute = attribute.map_err(|error| malformed(&error))?;
        let key = attribute.key.0;
        if key == "xmlns" || key.starts_with("xmlns:") {
            let prefix = key.strip_prefix("xmlns:").unwrap_or("");
            scope.push((depth, prefix.to_owned(), attribute.value.trim().to_owned()));
        } else if attribute.key.local_name().as_ref() == "nil" {
            nil = matches!(attribute.value.as_ref(), "true" | "1");
        }
    }
    let name = tag.name();
    let (prefix, local) = match name.0.split_once(':') {
        Some((prefix, local)) => (prefix, local),
        None => ("", name.0),
    };
    let found = scope
        .iter()
        .rev()
        .find(|(_, known, _)| known == prefix)
        .map(|(_, _, uri)| uri);
    if found.is_none() && !prefix.is_empty() {
        return Err(malformed(format!("the prefix {prefix} is not declared")));
    }
    let namespace = found.filter(|uri| !uri.is_empty()).cloned();
    Ok(Element {
        namespace,
        name: local.to_owned(),
        nil,
        ..Element::default()
    })
}

/// Closes an element: hands it to its parent and forgets the prefixes it declared.
fn attach(
    element: Element,
    open: &mut [Element],
    root: &mut Option<Element>,
    scope: &mut Scope,
) -> Result<(), XmlError> {
    let depth = open.len();
    while scope
        .last()
        .is_some_and(|(declared, ..)| *declared >= depth)
    {
        scope.pop();
    }
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None if root.is_none() => *root = Some(element),
        None => return Err(malformed("a second root element")),
    }
    Ok(())
}

fn add_text(text: &str, open: &mut [Element]) -> Result<(), XmlError> {
    if !text.chars().all(is_allowed) {
        return Err(malformed("a character that XML does not allow"));
    }
    match open.last_mut() {
        Some(element) => element.text.push_str(text),
        None if text.trim().is_empty() => {}
        None => return Err(malformed("text outside the root element")),
    }
    Ok(())
}

fn resolve(reference: &BytesRef) -> Result<char, XmlError> {
    if reference.is_char_ref() {
        let c = reference
            .resolve_char_ref()
            .map_err(|error| malformed(&error))?;
        return c
            .filter(|c| is_allowed(*c))
            .ok_or_else(|| malformed("a character that XML does not allow"));
    }
    match reference.xml10_content().as_ref() {
        "amp" => Ok('&'),
        "lt" => Ok('<'),
        "gt" => Ok('>'),
        "apos" => Ok('\''),
        "quot" => Ok('"'),
        other => Err(XmlError::Entity(other.chars().take(50).collect())),
    }
}

fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Builds a document from the outside in; every text is escaped.
#[derive(Default)]
pub struct Writer {
    out: String,
}

impl Writer {
    /// Writes `<tag>`; the tag may carry attributes and must be trusted.
    pub fn open(&mut self, tag: &str) -> &mut Self {
        self.out.push('<');
        self.out.push_str(tag);
        self.out.push('>');
        self
    }

    /// Writes `</name>`.
    pub fn close(&mut self, name: &str) -> &mut Self {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
        self
    }

    /// Writes an element with text; characters that XML does not allow are left out.
    pub fn leaf(&mut self, name: &str, text: &str) -> &mut Self {
        self.open(name);
        let clean: String = text.chars().filter(|c| is_allowed(*c)).collect();
        self.out.push_str(&escape(clean.as_str()));
        self.close(name)
    }

    /// Writes an element with text where there is one.
    pub fn leaf_opt(&mut self, name: &str, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.leaf(name, text),
            None => self,
        }
    }

    /// The document so far.
    pub fn finish(self) -> String {
        self.out
    }
}

#[cfg(test)]
#[path = "xml_tests.rs"]
mod tests;
