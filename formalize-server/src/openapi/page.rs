//! The page that shows the document.

use poem_openapi::OpenApiService;

use super::Document;

/// The statuses of refusals that most operations have, for reasons that are not about the operation.
pub(super) const COMMON: [u16; 8] = [401, 406, 408, 413, 415, 429, 500, 503];

/// A plugin of the page, which folds these refusals.
const FOLD: &str = include_str!("fold.js");

const STYLE: &str = ".swagger-ui .common-refusals{margin:0 20px 20px}";

impl Document {
    /// A self-contained page that shows the document and lets users send requests.
    pub(crate) fn to_html(&self) -> String {
        // The service of a page shows the document as poem generates it. So the page is made for a service without
        // operations, and its document is replaced by the completed one.
        let empty = OpenApiService::new((), "", "");
        let html = "<html charset=\"UTF-8\">";
        let title = "<title>Swagger UI</title>";
        let options = "deepLinking: true,\n";
        let start = "SwaggerUIBundle({\n";
        empty
            .swagger_ui_html()
            .replacen(html, "<!doctype html>\n<html lang=\"en\">", 1)
            .replacen(
                title,
                &format!("<title>formalize</title>\n    <style>{STYLE}</style>"),
                1,
            )
            .replacen(
                options,
                &format!("{options}plugins: [FoldCommonRefusals],\n"),
                1,
            )
            .replacen(
                start,
                &format!("const COMMON_REFUSALS = {COMMON:?};\n{FOLD}\n{start}"),
                1,
            )
            .replace(&empty.spec(), &self.to_compact_json())
    }
}
