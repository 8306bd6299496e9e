"""Hostile submissions, and whether LibreOffice shows their texts; see `run`."""

import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

TRIGGERS = ["=", "+", "-", "@", "\t", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"]
TEXTS = [quotes + trigger + "1+1" for quotes in ("", "'", "''") for trigger in TRIGGERS] + [
    '=HYPERLINK("http://127.0.0.1/","x")', "=cmd|' /C calc'!A0", "@SUM(1)", '"=1+1"', "a,b;c\td", 'say "hi"', "a\nb",
    "_x0041_", "_x005F_x0041_", "<f>1+1</f>", "&amp;", "  two  spaces  ", "\u00e4\u6f22\U0001f600", "x" * 32_767,
]
# LibreOffice shows these in its own way if it recognizes them in CSV, so they are compared in XLSX only.
RECOGNIZED = ["1" * 40, "1234567890123456", "0.10", "TRUE", "2026-11-25", "1e5", "00123"]
# These are checked not to be formulas. A cell of LibreOffice has other line breaks and no NUL.
OTHERS = ["\r=1+1", "a\r\nb", "\0=1+1", "x" * 32_768]
ALL = TEXTS + RECOGNIZED + OTHERS
HEADERS = ["=1+1", "+1", "-1", "@x", "\t=1", "'=1", "plain"]
# The columns before those of the data, from `_identifier` to `_tags`.
OWN = 7

NAMES = {
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
}


def name(prefixed):
    prefix, local = prefixed.split(":")
    return f"{{{NAMES[prefix]}}}{local}"


def write(folder):
    properties = {
        header: {"type": "string", "localizedName": {"en": header + " label"}} for header in HEADERS
    }
    properties["list"] = {"type": "array"}
    properties["number"] = {"type": "number"}
    properties["choice"] = {"oneOf": [{"const": at, "title": text} for at, text in enumerate(ALL)]}
    member = {"type": "object", "properties": {"=text": {"type": "string"}}}
    properties["=group"] = {"type": "array", "items": member}
    (folder / "schema.json").write_text(json.dumps({"properties": properties}))
    with open(folder / "data.ndjson", "w") as file:
        for at, text in enumerate(ALL):
            data = {header: text for header in HEADERS} if len(text) < 1_000 else {"plain": text}
            others = {"list": [text[:9]], "number": -1.5, "choice": at, "=group": [{"=text": text}]}
            file.write(json.dumps({**data, "plain": text, **others}) + "\n")


def text_of(element):
    """The text of a paragraph, whose blanks are elements."""
    text = element.text or ""
    for child in element:
        if child.tag == name("text:s"):
            text += " " * int(child.get(name("text:c"), "1"))
        elif child.tag == name("text:tab"):
            text += "\t"
        elif child.tag == name("text:line-break"):
            text += "\n"
        else:
            text += text_of(child)
        text += child.tail or ""
    return text


def rows_of(file, wanted=0):
    """The texts of a sheet. No cell of any sheet is a formula."""
    rows = []
    for number, sheet in enumerate(ET.parse(file).getroot().iter(name("table:table"))):
        for row in sheet.iter(name("table:table-row")):
            cells = []
            for cell in row.findall(name("table:table-cell")):
                formula = cell.get(name("table:formula"))
                assert formula is None, f"{file}: a cell is the formula {formula}"
                text = "\n".join(text_of(line) for line in cell.findall(name("text:p")))
                repeated = int(cell.get(name("table:number-columns-repeated"), "1"))
                cells += [text] * min(repeated, 100)
            if number == wanted and any(cells):
                rows.append(cells)
    return rows


def unguarded(text):
    """The text without each `'` that guards it, or what follows a separator in it, from being a formula."""
    cells = re.split(r"(?<=[,;\t|\n\r])", text)
    starts = tuple(TRIGGERS) + ("\r", "\0")

    def cell(number, guarded):
        behind = guarded.lstrip("'\"")
        begins = behind.startswith(starts) and (number == 0 or behind[0] not in "\t\n\r")
        return guarded[1:] if begins and guarded.startswith("'") else guarded

    return "".join(cell(*one) for one in enumerate(cells))


def check(folder):
    compared = 0
    for kind in ("csv", "xlsx"):
        shown = unguarded if kind == "csv" else lambda text: text
        for headers in ("path", "label"):
            rows = rows_of(folder / kind / f"{headers}.fods")
            expected = [header + (" label" if headers == "label" else "") for header in HEADERS]
            found = [shown(text) for text in rows[0][OWN : OWN + len(HEADERS)]]
            assert found == expected, (kind, found, expected)
            assert len(rows) == 1 + len(ALL), (kind, len(rows))
            choice = rows[0].index("choice")
            texts = TEXTS if kind == "csv" else TEXTS + RECOGNIZED
            for text, row in zip(texts, rows[1:]):
                cell = shown(row[OWN + HEADERS.index("plain")])
                assert cell == text, (kind, cell[:99], text[:99])
                assert headers == "path" or shown(row[choice]) == text, (kind, row[choice][:99], text[:99])
                compared += 1
    items = rows_of(folder / "xlsx" / "path.fods", 1)
    assert items[0][:3] == ["_identifier", "_position", "=text"], items[0]
    assert [row[2] for row in items[1:]][: len(TEXTS)] == TEXTS
    cut = rows[-1][OWN + HEADERS.index("plain")]
    assert cut == "x" * 32_761 + "\u2026[cut]", cut[-20:]
    print(f"LibreOffice shows {compared} texts as they were submitted, and no formula")


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](pathlib.Path(sys.argv[2]))
