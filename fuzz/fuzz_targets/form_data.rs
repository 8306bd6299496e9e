#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| formalize_fuzz::form_data(data));
