use std::io::{Cursor, Write};

use proptest::prelude::*;
use zip::write::SimpleFileOptions;

use super::*;

fn detect(content: &[u8], declared: Option<&str>, name: &str) -> String {
    let name = FileName::clean(name).unwrap();
    MimeType::detect(content, declared, &name)
        .as_str()
        .to_owned()
}

/// The type of content about which the sender says nothing.
fn found(content: impl AsRef<[u8]>) -> String {
    detect(content.as_ref(), None, "")
}

fn archive(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in entries {
        writer.start_file(*name, stored).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

#[test]
fn contents_decide() {
    let ole = [&OLE_SIGNATURE[..], &[0; 600]].concat();
    let pdf_in_zip = [archive(&[("a", "b")]), b"%PDF-1.7".to_vec()].concat();
    let zip_in_pdf = [b"%PDF-1.7\n".to_vec(), archive(&[("a", "b")])].concat();
    let bitmap = [&b"BM"[..], &[0; 60]].concat();
    for (content, declared, name, expected) in [
        (
            &b""[..],
            Some("application/pdf"),
            "a.pdf",
            "application/x-empty",
        ),
        (
            b"%PDF-1.7\nx",
            Some("text/plain"),
            "a.txt",
            "application/pdf",
        ),
        (b"plain", Some("application/pdf"), "a.pdf", "text/plain"),
        (
            b"<!DOCTYPE html><p>",
            Some("image/png"),
            "a.png",
            "text/html",
        ),
        (PNG, Some("text/html"), "a.html", "image/png"),
        (
            b"GIF89a<script>alert(1)</script>",
            None,
            "a.html",
            "image/gif",
        ),
        (
            b"<svg><script>alert(1)</script></svg>",
            Some("image/svg+xml"),
            "a.svg",
            "image/svg+xml",
        ),
        (
            &pdf_in_zip,
            Some("application/pdf"),
            "a.pdf",
            "application/zip",
        ),
        (
            &zip_in_pdf,
            Some("application/zip"),
            "a.zip",
            "application/pdf",
        ),
        (
            b"a;b\n1;2",
            Some("application/vnd.ms-excel"),
            "a.csv",
            "text/csv",
        ),
        (b"{}", Some("application/json"), "a", "application/json"),
        (b"alert(1)", Some("text/javascript"), "a.js", "text/plain"),
        (
            b"#!/bin/sh\nls",
            Some("application/x-sh"),
            "a.sh",
            "text/plain",
        ),
        (b"{\\rtf1\\ansi x}", None, "a.doc", "application/rtf"),
        (
            b"%!PS-Adobe-3.0\nshowpage",
            None,
            "a.ps",
            "application/postscript",
        ),
        (
            &ole,
            Some("application/msword"),
            "a.xls",
            "application/msword",
        ),
        (&ole, None, "a.xls", "application/vnd.ms-excel"),
        (&ole, None, "a", "application/x-ole-storage"),
        (
            &utf16("plain"),
            Some("text/plain"),
            "a.txt",
            "application/octet-stream",
        ),
        (
            b"caf\xe9",
            Some("text/plain"),
            "a.txt",
            "application/octet-stream",
        ),
        (b"a\x1b[1m", None, "a.txt", "application/octet-stream"),
        (b"a\0", None, "a.txt", "application/octet-stream"),
        (&bitmap, None, "a.txt", "image/bmp"),
    ] {
        let told = detect(content, declared, name);
        assert_eq!(told, expected, "{name} {declared:?} {content:?}");
    }
}

#[test]
fn office_documents_are_told_apart() {
    let ooxml = |folder: &str| {
        archive(&[
            ("[Content_Types].xml", "<Types/>"),
            ("_rels/.rels", "<Relationships/>"),
            (&format!("{folder}/document.xml"), "<document/>"),
            (&format!("{folder}/styles.xml"), "<styles/>"),
        ])
    };
    let with_type = |mime_type: &str| archive(&[("mimetype", mime_type), ("content.xml", "<x/>")]);
    let office = |kind: &str| format!("application/vnd.openxmlformats-officedocument.{kind}");
    let open = |kind: &str| format!("application/vnd.oasis.opendocument.{kind}");
    for (content, expected) in [
        (ooxml("word"), office("wordprocessingml.document")),
        (ooxml("xl"), office("spreadsheetml.sheet")),
        (ooxml("ppt"), office("presentationml.presentation")),
        (with_type(&open("text")), open("text")),
        (with_type(&open("spreadsheet")), open("spreadsheet")),
        (with_type(&open("presentation")), open("presentation")),
        (
            with_type("application/epub+zip"),
            "application/epub+zip".to_owned(),
        ),
        (archive(&[("a.txt", "a")]), "application/zip".to_owned()),
    ] {
        assert_eq!(found(&content), expected);
        assert_eq!(detect(&content, Some("text/html"), "a.html"), expected);
    }
    let unknown = archive(&[("a.txt", "a")]);
    let declared = office("wordprocessingml.document");
    assert_eq!(detect(&unknown, Some(&declared), "a.zip"), declared);
}

#[test]
fn texts_that_browsers_take_for_markup_are_active() {
    for (text, expected) in [
        ("<html>", "text/html"),
        ("\u{feff}\r\n\t <HTML lang=de>", "text/html"),
        ("<!-- a --> <!----><!DOCTYPE HTML>", "text/html"),
        ("<script", "text/html"),
        ("<br/>", "text/html"),
        ("<!-- never closed <html>", "text/html"),
        ("<?xml version='1.0'?><html/>", "text/xml"),
        ("<abbr>", "text/xml"),
        ("<note/>", "text/xml"),
        ("<!-- a --> text", "text/xml"),
        ("<", "text/xml"),
        ("<ä", "text/xml"),
        ("<?xml version='1.0'?><svg/>", "image/svg+xml"),
        ("<html><svg>", "image/svg+xml"),
        ("a <html>", "text/plain"),
        ("\t\u{c}\r\nä 😀", "text/plain"),
        ("", "application/x-empty"),
    ] {
        assert_eq!(found(text), expected, "{text:?}");
        let is_active = text.contains('<') && !text.starts_with('a');
        let name = FileName::clean("").unwrap();
        let mime_type = MimeType::detect(text.as_bytes(), Some("text/csv"), &name);
        assert_eq!(mime_type.is_active(), is_active, "{text:?}");
    }
}

#[test]
fn only_the_beginning_is_looked_at() {
    let with_svg_at = |kib: usize| format!("<x>{}<svg/>", " ".repeat(kib * 1024));
    assert_eq!(found(with_svg_at(30)), "image/svg+xml");
    assert_eq!(found(with_svg_at(40)), "text/xml");
    let binary_behind = [vec![b'a'; MimeType::PREFIX_BYTES], vec![0]].concat();
    assert_eq!(found(binary_behind), "text/plain");
}

#[test]
fn a_full_prefix_may_end_within_a_character() {
    for (character, bytes) in [("ä", 2), ("€", 3), ("😀", 4)] {
        for cut in 1..bytes {
            let before = "a".repeat(MimeType::PREFIX_BYTES - cut);
            let text = format!("{before}{character}");
            let prefix = &text.as_bytes()[..MimeType::PREFIX_BYTES];
            assert_eq!(found(prefix), "text/plain", "{character} after {cut}");
            // In a shorter file, the rest of the character is missing.
            assert_eq!(found(&prefix[1..]), "application/octet-stream");
        }
    }
}

#[test]
fn a_few_letters_do_not_make_a_text_a_program() {
    for text in [
        "a %PDF-1.7",
        "070701,1",
        "<html>%PDF",
        "BMI;weight\n",
        "MZ 12\n",
        "BZh is",
        "CWS",
        "FWS",
        "ID3 tags",
        "SQLite is",
        "LZIP",
        "MSCF",
        "8BPS",
        "MThd",
        "OggS",
        "fLaC",
        "Cr24",
    ] {
        let text = format!("{text} and more text, so that it is long enough for any signature");
        let is_html = text.starts_with("<html>");
        let expected = if is_html { "text/html" } else { "text/plain" };
        assert_eq!(found(&text), expected, "{text}");
    }
}

/// Beginnings behind which parsers look further.
const BEGINNINGS: &[&[u8]] = &[
    b"", b"PK\x03\x04", b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff\0\0\0\0\x13\0\0\0[Content_Types].xml",
    b"\x50\x2a\x4d\x18\0\0\0\0", b"\x50\x2a\x4d\x18\xff\xff\xff\xff", &OLE_SIGNATURE, b"\0\0\0\x20ftyp", b"RIFF", b"%PDF",
    b"\xff\xfe", b"<", b"II*\0",
];

proptest! {
    #[test]
    fn any_content_has_a_type(
        beginning in proptest::sample::select(BEGINNINGS),
        rest in proptest::collection::vec(any::<u8>(), 0..2000),
        declared in proptest::option::of(".{0,20}"),
        name in ".{0,20}",
    ) {
        let content = [beginning, &rest].concat();
        let told = detect(&content, declared.as_deref(), &name);
        prop_assert!(told.split_once('/').is_some());
        prop_assert_eq!(told == "application/x-empty", content.is_empty());
    }

    /// Whatever a sender says of a file, it does not change whether the file is active.
    #[test]
    fn a_sender_cannot_choose_what_is_active(
        text in "[ \n<!a-z/>-]{0,40}",
        declared in proptest::sample::select(&["text/html", "image/svg+xml", "text/csv", "text/css", "x", ""][..]),
        extension in proptest::sample::select(&["html", "svg", "css", "js", "csv", "xml", ""][..]),
    ) {
        let name = FileName::clean(&format!("a.{extension}")).unwrap();
        let plain = FileName::clean("a").unwrap();
        let told = MimeType::detect(text.as_bytes(), Some(declared), &name);
        let alone = MimeType::detect(text.as_bytes(), None, &plain);
        prop_assert_eq!(told.is_active(), alone.is_active());
    }

    #[test]
    fn ordinary_text_is_text(text in "[\\p{L}\\p{N} ,;:\t\n]{1,500}") {
        prop_assert_eq!(found(text), "text/plain");
    }
}

/// Deeply nested frames are looked at one after the other.
#[test]
fn the_longest_chain_of_frames_is_no_danger() {
    let frame = [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0];
    assert_eq!(
        found(frame.repeat(MimeType::PREFIX_BYTES / 8)),
        "application/octet-stream"
    );
}
