//! Pictures of pages for the documents.

use std::path::Path;
use std::{env, fs};

use formalize_tests::browser::Tab;

/// Set this to take new pictures.
const UPDATE: &str = "FORMALIZE_UPDATE_DOCS";

/// The maximum size of a picture, in bytes.
const LARGEST: u64 = 160_000;

/// Takes pictures of the beginning of a page: for a desktop of this size, a phone, and in dark colours.
pub(crate) async fn take(tab: &mut Tab, name: &str, size: (u32, u32)) {
    take_at(tab, name, size, "body").await;
}

/// The same from the element on that a selector finds.
pub(crate) async fn take_at(
    tab: &mut Tab,
    name: &str,
    (width, height): (u32, u32),
    selector: &str,
) {
    for (kind, width, height, dark) in [
        ("", width, height, false),
        ("-phone", 360, 720, false),
        ("-dark", width, height, true),
    ] {
        let path = format!("../docs/pictures/{name}{kind}.png");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        if env::var_os(UPDATE).is_some() {
            tab.show(width, height, dark).await.unwrap();
            let scroll = format!("document.querySelector(`{selector}`).scrollIntoView()");
            tab.evaluate(&scroll).await.unwrap();
            fs::write(&path, tab.picture().await.unwrap()).unwrap();
        }
        let size = fs::metadata(&path).unwrap().len();
        assert!(size > 1000 && size < LARGEST, "{name}{kind}: {size}");
    }
    tab.show(width, height, false).await.unwrap();
}
