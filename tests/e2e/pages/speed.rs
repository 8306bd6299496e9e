//! How soon the page of a form can be used on a slow phone, and how soon a question appears.

use formalize_tests::browser::{PageOrigin, Tab};
use formalize_tests::seed::page;
use serde_json::{Value, json};

use super::Setup;

/// A page that has one input and nothing else.
const BARE: &str = r#"<!doctype html><html lang="en"><meta charset="utf-8"><title>One input</title>
<form method="post"><label for="one">Name</label><input id="one" name="one"></form>"#;

/// How often each page is opened. A busy machine makes pages slower, never faster, so the best time counts.
const ROUNDS: usize = 5;

/// Waits until nothing happens any more, and describes how the page was loaded.
const OBSERVE: &str = r#"(async () => {
  const found = { paint: [], longtask: [], "layout-shift": [] };
  for (const type of Object.keys(found)) {
    new PerformanceObserver((list) => found[type].push(...list.getEntries())).observe({ type, buffered: true });
  }
  while (document.readyState !== "complete" || found.paint.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  const files = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
  return {
    shown: found.paint.find(({ name }) => name === "first-contentful-paint").startTime,
    blocked: sum(found.longtask.map(({ duration }) => duration - 50)),
    moved: sum(found["layout-shift"].map(({ value }) => value)),
    requests: files.length,
    bytes: sum(files.map(({ encodedBodySize }) => encodedBodySize)),
    input: document.querySelector("input:not([type=hidden])").getBoundingClientRect().bottom <= innerHeight,
  };
})()"#;

/// The time until a question appears after an answer was changed.
const SHOW: &str = r#"(async () => {
  const guests = document.querySelector("[name='/guests']");
  const answer = (number, isThere) => new Promise((resolve) => {
    const began = performance.now();
    const look = () => {
      if ((document.querySelector("[name='/guestNames']") !== null) === isThere) {
        observer.disconnect();
        resolve(performance.now() - began);
      }
    };
    const observer = new MutationObserver(look);
    observer.observe(document.querySelector("main form"), { childList: true, subtree: true });
    guests.value = number;
    guests.dispatchEvent(new Event("change", { bubbles: true }));
  });
  const times = [];
  for (let round = 0; round < 20; round += 1) {
    times.push(await answer("1", true));
    await answer("0", false);
  }
  return times.sort((one, other) => one - other);
})()"#;

/// A setup whose form has 17 questions, and the URL of a link to it.
async fn setup() -> (Setup, String) {
    let mut setup = Setup::new().await;
    let new = json!({"name": "Conference", "dataFeedSchema": page::schema().to_string()});
    let (_, form) = setup.client.post("/formalize/forms", &new).await.unwrap();
    form["identifier"]
        .as_str()
        .unwrap()
        .clone_into(&mut setup.form);
    let url = setup.link(&json!([])).await;
    (setup, url)
}

async fn observe(tab: &mut Tab, url: &str) -> Value {
    tab.go(url).await.unwrap();
    tab.wait_for("input:not([type=hidden])").await.unwrap();
    tab.evaluate(OBSERVE).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn a_form_is_light_and_nothing_in_it_moves() {
    let (mut setup, url) = setup().await;
    setup.tab.slow_down().await.unwrap();
    let found = observe(&mut setup.tab, &url).await;
    assert_eq!(found["moved"], 0, "something moved: {found}");
    assert_eq!(found["input"], true, "no input is in sight: {found}");
    assert!(found["requests"].as_f64().unwrap() <= 4.0, "{found}");
    assert!(found["bytes"].as_f64().unwrap() <= 12_000.0, "{found}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "measures; run it alone on an idle machine"]
async fn a_form_can_soon_be_used_on_a_slow_phone() {
    let (mut setup, url) = setup().await;
    let bare = PageOrigin::serve(BARE).await.unwrap();
    setup.tab.slow_down().await.unwrap();
    let (mut shown, mut bare_shown, mut blocked) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        let number = |of: &Value, name: &str| of[name].as_f64().unwrap();
        let found = observe(&mut setup.tab, bare.origin()).await;
        bare_shown = bare_shown.min(number(&found, "shown"));
        let found = observe(&mut setup.tab, &url).await;
        shown = shown.min(number(&found, "shown"));
        blocked = blocked.min(number(&found, "blocked"));
    }
    println!(
        "shown after {shown} ms, a page with one input after {bare_shown} ms; blocked for {blocked} ms"
    );
    assert!(
        shown <= 1.5 * bare_shown,
        "{shown} ms, against {bare_shown} ms"
    );
    assert!(blocked <= 50.0, "{blocked} ms");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "measures; run it alone on an idle machine"]
async fn a_question_appears_soon_after_an_answer() {
    let (mut setup, url) = setup().await;
    setup.tab.go(&url).await.unwrap();
    setup
        .tab
        .wait_for(".scripted [name='/guests']")
        .await
        .unwrap();
    let times = setup.tab.evaluate(SHOW).await.unwrap();
    let times: Vec<f64> = serde_json::from_value(times).unwrap();
    println!(
        "a question appears after {} ms, at the median after {} ms",
        times[0],
        times[times.len() / 2]
    );
    assert!(times[0] <= 50.0, "{times:?}");
}
