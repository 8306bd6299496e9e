//! Compresses the page that shows the OpenAPI document. Nearly all of it is Swagger UI, which as it is would be a tenth of
//! the program.

use std::{env, error::Error, fs, io::Write, path::PathBuf};

use flate2::{Compression, write::GzEncoder};
use poem_openapi::OpenApiService;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let service = OpenApiService::new((), "", "");
    let page = service
        .swagger_ui_html()
        .replacen(
            "<html charset=\"UTF-8\">",
            "<!doctype html>\n<html lang=\"en\">",
            1,
        )
        .replacen("<title>Swagger UI</title>", "<title>formalize</title>", 1);
    let (begin, end) = page
        .rsplit_once(&service.spec())
        .ok_or("the page does not show the document")?;
    let folder = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names no folder")?);
    let mut compressed = GzEncoder::new(Vec::new(), Compression::best());
    compressed.write_all(begin.as_bytes())?;
    fs::write(folder.join("page-begin.gz"), compressed.finish()?)?;
    fs::write(folder.join("page-end.html"), end)?;
    Ok(())
}
