//! Compresses the page that shows the OpenAPI document. Nearly all of it is Swagger UI, which as it is would be a tenth of
//! the program.

use std::{env, error::Error, fs, path::PathBuf};

use miniz_oxide::deflate::compress_to_vec;
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
    fs::write(
        folder.join("page-begin.deflate"),
        compress_to_vec(begin.as_bytes(), 9),
    )?;
    fs::write(folder.join("page-end.html"), end)?;
    Ok(())
}
