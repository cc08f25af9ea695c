//! Tests of the bounded tree: well-formedness, refusals, and that refusing is quick.

use std::fmt::Write as _;

use super::*;

fn read(text: &str) -> Result<Element, XmlError> {
    parse(text, &Limits::default())
}

#[test]
fn namespaces_texts_and_references_are_resolved() {
    let text = "<?xml version=\"1.0\"?><!-- x --><a xmlns='u' xmlns:p='v'><p:b xmlns:p='w'>1 &amp;&#x20;2</p:b><p:c><![CDATA[<õ>]]></p:c><d xmlns=''/></a>";
    let root = read(text).unwrap();
    assert!(root.is("u", "a"));
    assert_eq!(root.child_in("w", "b").unwrap().text, "1 & 2");
    assert_eq!(root.child_in("v", "c").unwrap().text, "<õ>");
    assert_eq!(root.child("d").unwrap().namespace, None);
}

#[test]
fn nil_and_empty_are_no_value() {
    let root = read("<a xmlns:xsi='s'><b xsi:nil='true'>x</b><c/><d> </d><e> y </e></a>").unwrap();
    let values = ["b", "c", "d", "e", "f"].map(|name| root.value(name));
    assert_eq!(values, [None, None, None, Some("y"), None]);
}

#[test]
fn documents_of_their_own_making_are_refused() {
    let laughs = "<!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><l>&b;</l>";
    assert_eq!(read(laughs), Err(XmlError::Doctype));
    let outside = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>";
    assert_eq!(read(outside), Err(XmlError::Doctype));
    assert_eq!(read("<!doctype html><html></html>"), Err(XmlError::Doctype));
    assert_eq!(read("<a>&x;</a>"), Err(XmlError::Entity("x".into())));
}

#[test]
fn what_is_not_well_formed_is_refused() {
    for text in [
        "",
        " ",
        "text",
        "<a>",
        "<a></b>",
        "<a/><b/>",
        "<a></a>x",
        "x<a/>",
        "</a>",
        "<a b></a>",
        "<a b=c/>",
        "<p:a/>",
        "<a>&#0;</a>",
        "<a>&#1;</a>",
        "<a>&#xD800;</a>",
        "<a",
        "<a><![CDATA[x</a>",
        "<a>&amp</a>",
        "\u{0}<a/>",
        "<a>\u{0}</a>",
        "<a><![CDATA[\u{1}]]></a>",
    ] {
        assert!(
            matches!(
                read(text),
                Err(XmlError::Malformed(_) | XmlError::Entity(_))
            ),
            "{text:?}: {:?}",
            read(text)
        );
    }
}

#[test]
fn depth_attributes_and_elements_are_bounded() {
    let deep = "<a>".repeat(100_000);
    assert_eq!(read(&deep), Err(XmlError::Depth(64)));
    let mut wide = String::from("<a");
    for i in 0..100_000 {
        write!(wide, " a{i}='x'").unwrap();
    }
    // The tag never ends: what refuses it has not looked for its end.
    assert_eq!(read(&wide), Err(XmlError::Attributes(64)));
    assert_eq!(
        read(&(wide.replace('x', ">") + "/>")),
        Err(XmlError::Attributes(64))
    );
    let spaces = wide.replace(" a", " xmlns:a");
    assert_eq!(read(&(spaces + "/>")), Err(XmlError::Attributes(64)));
    let many = format!("<a>{}</a>", "<b/>".repeat(200_000));
    assert_eq!(read(&many), Err(XmlError::Elements(100_000)));
}

#[test]
fn the_writer_leaves_no_way_out_of_a_text() {
    let mut xml = Writer::default();
    xml.open("a")
        .leaf("b", "</b><c>&\"'\u{0}\u{fffe}")
        .close("a");
    let root = read(&xml.finish()).unwrap();
    assert_eq!(root.value("b"), Some("</b><c>&\"'"));
}
