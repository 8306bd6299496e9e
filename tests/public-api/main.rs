//! Prints the public items of a library, one per line, without their documentation. Usage: `public-api FILE`, where
//! FILE is the JSON output of rustdoc. The script `run` compares the list.

use std::error::Error;
use std::io::Write;

use public_api::Builder;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: public-api FILE")?;
    let interface = Builder::from_rustdoc_json(file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()?;
    let mut output = std::io::stdout().lock();
    for item in interface.items() {
        writeln!(output, "{item}")?;
    }
    Ok(())
}
