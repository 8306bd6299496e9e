//! Webhooks.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use formalize_tests::receiver::ClosedPort;
use serde_json::{Value, json};

use crate::bench::Bench;

on_both_databases! {
    webhooks_are_created_changed_and_deleted,
    secrets_are_shown_once_and_replaced,
    secrets_are_encrypted_anew,
    deliveries_are_listed_and_sent_again,
    receivers_are_tested,
    webhooks_that_are_refused,
}

const URL: &str = "https://example.org/hook";

fn form(bench: &Bench) -> String {
    bench.id("forms create --name Workshop")
}

/// Creates a webhook and returns it with its secret.
fn created(bench: &Bench) -> Value {
    let create = format!("webhooks create --form Workshop --url {URL} -o json");
    bench.run(&create).expect(0).json()
}

fn text<'a>(of: &'a Value, member: &str) -> &'a str {
    of[member].as_str().unwrap()
}

fn webhooks_are_created_changed_and_deleted(bench: &Bench) {
    let form = form(bench);
    let made = created(bench);
    let id = text(&made, "identifier");
    let expected = json!({
        "identifier": id,
        "formIdentifier": form,
        "url": URL,
        "description": null,
        "eventTypes": [
            "submission.submitted", "submission.updated", "submission.deleted",
            "form.updated", "form.cleared", "form.deleted",
        ],
        "payload": "full",
        "enabled": true,
        "disabledReason": null,
        "creatorId": "",
        "dateCreated": made["dateCreated"],
        "dateLastSuccess": null,
        "dateLastFailure": null,
        "datePausedUntil": null,
        "numPending": 0,
        "numDead": 0,
        "secret": made["secret"],
    });
    assert_eq!(made, expected);
    let of_all = "webhooks create --all-forms --url https://example.org/all --event-types form.created,group.created --payload thin";
    bench.run(of_all).expect(0);
    let listed = bench.run("webhooks list -o json").expect(0).json();
    assert_eq!(listed.as_array().unwrap().len(), 2);
    let listed = bench
        .run("webhooks list --form Workshop -o json")
        .expect(0)
        .json();
    assert_eq!(listed[0]["identifier"], *id);
    assert!(listed[0].get("secret").is_none());

    let update = format!("webhooks update {id} --description Tickets --enabled false -o json");
    let changed = bench.run(&update).expect(0).json();
    assert_eq!(changed["description"], "Tickets");
    assert_eq!(changed["disabledReason"], "owner");
    let clear = format!(
        "webhooks update {id} --clear description --enabled true --event-types form.updated -o json"
    );
    let changed = bench.run(&clear).expect(0).json();
    assert_eq!(
        (&changed["description"], &changed["enabled"]),
        (&Value::Null, &json!(true))
    );
    assert_eq!(changed["eventTypes"], json!(["form.updated"]));

    bench.run(&format!("webhooks show {id} --as bob")).expect(5);
    bench
        .run(&format!("webhooks delete {id} --as bob --yes"))
        .expect(5);
    bench.run(&format!("webhooks delete {id}")).expect(0);
    bench.run(&format!("webhooks show {id}")).expect(3);
    bench.run("webhooks show x").expect(3);
}

fn secrets_are_shown_once_and_replaced(bench: &Bench) {
    form(bench);
    let table = bench
        .run(&format!("webhooks create --form Workshop --url {URL}"))
        .expect(0)
        .out;
    let secret = table.lines().last().unwrap();
    assert!(secret.starts_with("whsec_"), "{table}");
    assert_eq!(table.matches("whsec_").count(), 1);
    let listed = bench.run("webhooks list -o json").expect(0);
    assert!(!listed.out.contains("whsec_"));
    let id = text(&listed.json()[0], "identifier").to_owned();
    let rotate = format!("webhooks rotate-secret {id} --overlap 3d -o json");
    let rotated = bench.run(&rotate).expect(0).json();
    assert_ne!(text(&rotated, "secret"), secret);
    bench
        .run(&format!("webhooks rotate-secret {id} --overlap 8d"))
        .expect(7);

    bench.write("secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
    let given = format!("webhooks create --form Workshop --url {URL} --secret secret -o json");
    let given = bench.run(&given).expect(0).json();
    assert_eq!(given["secret"], "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    bench.write("secret", "a secret");
    let bad = format!("webhooks create --form Workshop --url {URL} --secret secret");
    bench.run(&bad).expect(7);
}

fn secrets_are_encrypted_anew(bench: &Bench) {
    form(bench);
    created(bench);
    bench.run("webhooks reencrypt").expect(1);
    let old = "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=";
    let new = "YmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI=";
    bench.write(
        "formalize.toml",
        &format!("webhook_secret_keys = [\"{old}\"]\n"),
    );
    let done = bench.run("webhooks reencrypt").expect(0);
    assert_eq!(done.err, "encrypted the secrets of 1 webhook\n");
    let done = bench.run("webhooks reencrypt").expect(0);
    assert_eq!(done.err, "encrypted the secrets of 0 webhooks\n");
    let keys = format!("webhook_secret_keys = [\"{new}\", \"{old}\"]\n");
    bench.write("formalize.toml", &keys);
    let done = bench.run("webhooks reencrypt").expect(0);
    assert_eq!(done.err, "encrypted the secrets of 1 webhook\n");
    bench.run("webhooks reencrypt --as bob").expect(5);
    // A store with encrypted secrets takes no readable ones.
    bench.write("formalize.toml", "");
    bench
        .run(&format!("webhooks create --form Workshop --url {URL}"))
        .expect(1);
}

fn deliveries_are_listed_and_sent_again(bench: &Bench) {
    form(bench);
    let made = created(bench);
    let id = text(&made, "identifier");
    bench.write("data.json", "{}");
    bench
        .run("submissions create --form Workshop --data data.json")
        .expect(0);
    // No server runs, so nothing is queued until the command does it.
    let deliveries = format!("webhooks deliveries {id} -o json");
    assert_eq!(bench.run(&deliveries).expect(0).json(), json!([]));
    let resend = format!("webhooks resend {id} --since 2020-01-01 --state all");
    let queued = bench.run(&resend).expect(0);
    assert_eq!(queued.err, "queued 1 delivery\n");
    let [delivery] = <[Value; 1]>::try_from(
        bench
            .run(&deliveries)
            .expect(0)
            .json()
            .as_array()
            .unwrap()
            .clone(),
    )
    .unwrap();
    assert_eq!(
        (&delivery["state"], &delivery["eventType"]),
        (&json!("pending"), &json!("submission.submitted"))
    );
    let one = text(&delivery, "identifier");
    let shown = bench
        .run(&format!(
            "webhooks deliveries {id} --delivery {one} -o json"
        ))
        .expect(0)
        .json();
    assert_eq!(shown["attempts"], json!([]));
    let of_state = format!("webhooks deliveries {id} --state dead --type form.updated -o json");
    assert_eq!(bench.run(&of_state).expect(0).json(), json!([]));
    // Pending ones are then attempted at once.
    let queued = bench
        .run(&format!("webhooks resend {id} --delivery {one}"))
        .expect(0);
    assert_eq!(queued.err, "queued 1 delivery\n");
    bench
        .run(&format!("webhooks resend {id} --delivery x"))
        .expect(3);
    let asked = bench.run(&format!("webhooks delete {id}")).expect(2);
    assert!(asked.err.contains("1 delivery"), "{asked:?}");
    bench
        .run(&format!("webhooks update {id} --enabled false"))
        .expect(0);
    bench.run(&resend).expect(6);
}

/// A receiver that answers every request with this status, and its URL.
fn receiver(status: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, mut got) = (stream.unwrap(), Vec::new());
            while !got.ends_with(b"}}") {
                let mut part = [0; 1024];
                let count = stream.read(&mut part).unwrap();
                assert_ne!(count, 0, "the request ends with its body");
                got.extend_from_slice(&part[..count]);
            }
            write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").unwrap();
        }
    });
    url
}

fn receivers_are_tested(bench: &Bench) {
    form(bench);
    bench.write(
        "formalize.toml",
        "webhook_allowed_targets = ['127.0.0.1']\nwebhook_timeout = '20s'\n",
    );
    let closed = ClosedPort::take().unwrap();
    for (url, code, status, error) in [
        (receiver("204 No Content"), 0, json!(204), Value::Null),
        (receiver("500 Broken"), 1, json!(500), json!("status")),
        (closed.url.clone(), 1, Value::Null, json!("connect")),
    ] {
        let create = format!("webhooks create --form Workshop --url {url} -o json");
        let made = bench.run(&create).expect(0).json();
        let id = text(&made, "identifier");
        let test = format!("webhooks test {id}");
        // The answer is shown, whatever it is.
        let ran = bench.run(&format!("{test} -o json"));
        let shown = ran.json();
        assert_eq!(ran.code, code, "{ran:?}");
        assert_eq!((&shown["status"], &shown["error"]), (&status, &error));
        assert!(shown["durationMs"].is_u64(), "{shown}");
        let ran = bench.run(&test);
        assert_eq!(ran.code, code, "{ran:?}");
        assert!(ran.out.contains("durationMs"), "{ran:?}");
        let failed = format!(
            "error: the test failed: {}\n",
            error.as_str().unwrap_or("-")
        );
        assert_eq!(ran.err.ends_with(&failed), code == 1, "{ran:?}");
        bench.run(&format!("{test} --as bob")).expect(5);
        let deliveries = bench.run(&format!("webhooks deliveries {id} -o json"));
        assert_eq!(deliveries.expect(0).json(), json!([]));
    }
    bench
        .run("webhooks test 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b")
        .expect(3);
}

fn webhooks_that_are_refused(bench: &Bench) {
    form(bench);
    for (line, code) in [
        ("webhooks create --url https://example.org", 2),
        (
            "webhooks create --form Workshop --all-forms --url https://example.org",
            2,
        ),
        (
            "webhooks create --form Workshop --url https://example.org --payload none",
            2,
        ),
        (
            "webhooks create --form Workshop --url https://example.org --event-types x",
            2,
        ),
        (
            "webhooks create --form Workshop --url http://example.org",
            7,
        ),
        (
            "webhooks create --form Workshop --url https://127.0.0.1/",
            7,
        ),
        (
            "webhooks create --form Workshop --url https://example.org --event-types draft.created",
            7,
        ),
        (
            "webhooks create --form Elsewhere --url https://example.org",
            3,
        ),
        (
            "webhooks create --all-forms --url https://example.org --as bob",
            5,
        ),
        ("webhooks update 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b", 2),
        ("webhooks resend 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b", 2),
    ] {
        bench.run(line).expect(code);
    }
    for number in 0..20 {
        bench
            .run(&format!(
                "webhooks create --form Workshop --url https://example.org/{number}"
            ))
            .expect(0);
    }
    bench
        .run(&format!("webhooks create --form Workshop --url {URL}"))
        .expect(6);
}
