//! Texts that try to be more than text stay texts in a real browser.

use serde_json::json;

use super::Setup;

/// Each one would set `planted`, ask another machine for something, or change the page.
const HOSTILE: [&str; 8] = [
    "<script>planted = 1</script>",
    "\"><img src=x onerror=planted=1>",
    "<img src=//192.0.2.1/planted.png>",
    "' autofocus onfocus='planted=1",
    "</textarea></title></style></script><svg/onload=planted=1>",
    "</p><style>* { display: none; background: url(//192.0.2.1/planted.png) }</style>",
    "{{constructor.constructor('planted=1')()}}${planted=1}",
    "\u{202e}https://192.0.2.1/\"onmouseover=planted=1\u{2066}",
];

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn texts_of_people_do_nothing_in_a_browser() {
    let mut setup = Setup::new().await;
    setup.sign_in().await;
    let base_url = setup.server.base_url().to_owned();
    for hostile in HOSTILE {
        let schema = json!({
            "title": hostile, "description": hostile, "x-form": {"send": hostile, "thanks": hostile},
            "properties": {
                "text": {"type": "string", "title": hostile, "description": hostile, "x-form": {"hint": hostile}},
                "long": {"type": "string", "maxLength": 500, "default": hostile},
                hostile: {"oneOf": [{"const": hostile, "title": hostile}, {"const": "b"}]},
                "json": {}
            }
        });
        let new = json!({
            "name": hostile, "dataFeedSchema": schema.to_string(), "allowedActionsWhenSubmitted": ["manage"],
        });
        let (_, form) = setup.client.post("/formalize/forms", &new).await.unwrap();
        let form = form["identifier"].as_str().unwrap().to_owned();
        form.clone_into(&mut setup.form);
        let data =
            json!({"text": hostile, "long": hostile, hostile: hostile, "json": {hostile: hostile}});
        let new = json!({"formIdentifier": form, "dataFeedElement": data.to_string()});
        let (_, sent) = setup
            .client
            .post("/formalize/submissions", &new)
            .await
            .unwrap();
        let link = json!({"formIdentifier": form, "label": hostile});
        let (_, link) = setup
            .client
            .post("/formalize/form-links", &link)
            .await
            .unwrap();
        let webhook = json!({
            "formIdentifier": form, "url": "https://hooks.example.org/", "description": hostile,
        });
        let (_, webhook) = setup
            .client
            .post("/formalize/webhooks", &webhook)
            .await
            .unwrap();
        let webhook = webhook["identifier"].as_str().unwrap();
        let sent = sent["identifier"].as_str().unwrap();
        let console = format!("{base_url}/console/forms/{form}");
        for url in [
            format!("{base_url}/f/{form}"),
            format!("{base_url}/f/{form}/sent?submission={sent}"),
            format!("{base_url}/s/{sent}"),
            link["url"].as_str().unwrap().to_owned(),
            format!("{base_url}/console"),
            console.clone(),
            format!("{console}/submissions"),
            format!("{console}/links"),
            format!("{console}/webhooks"),
            format!("{console}/webhooks/{webhook}"),
            format!("{console}/edit"),
            format!("{console}/delete"),
        ] {
            setup.tab.go(&url).await.unwrap();
            setup.tab.wait_for("body > main").await.unwrap();
            let planted = "new Promise((done) => document.readyState === 'loading' \
                 ? addEventListener('DOMContentLoaded', () => done(typeof planted)) : done(typeof planted))";
            assert_eq!(
                setup.tab.evaluate(planted).await.unwrap(),
                "undefined",
                "{url}: {hostile}"
            );
            let seen =
                "document.body.innerText.includes(".to_owned() + &json!(hostile).to_string() + ")";
            let is_delete = url.ends_with("/delete");
            assert!(
                is_delete || setup.tab.evaluate(&seen).await.unwrap() == true,
                "{url}: {hostile}"
            );
        }
    }
    setup.assert_clean().await;
}
