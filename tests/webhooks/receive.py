"""Receivers of webhooks: some verify what they get with the `standardwebhooks` packages, some fail.

The arguments are the languages of the packages: `python`, `node`.
"""

import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook

URL = os.environ["FORMALIZE_URL"]
TOKEN = os.environ["FORMALIZE_TOKEN"]


def call(method, path, body=None):
    request = urllib.request.Request(
        URL + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as response:
        text = response.read()
        return json.loads(text) if text else None


class Receiver:
    """Keeps each request as (headers, body). `answer` decides the response; by default it is 204."""

    def __init__(self, answer=None):
        self.requests = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.requests.append((dict(self.headers), body))
                if answer:
                    answer(self, len(receiver.requests))
                else:
                    self.respond(204)

            def respond(self, status, headers=(), body=b""):
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def until(what, holds, seconds=20):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.05)


def verify_with_python(secret, headers, body):
    try:
        Webhook(secret).verify(body, headers)
        return True
    except Exception:
        return False


class VerifyWithNode:
    def __init__(self):
        script = os.path.join(os.environ["FORMALIZE_WEBHOOKS"], "verify.mjs")
        self.process = subprocess.Popen(
            ["node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, secret, headers, body):
        line = json.dumps({"secret": secret, "headers": headers, "body": body.decode()})
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def form():
    return call("POST", "/formalize/forms", {"name": "Workshop"})["identifier"]


def webhook(form, receiver, **more):
    body = {"formIdentifier": form, "url": receiver.url} | more
    return call("POST", "/formalize/webhooks", body)


def submit(form, data):
    body = {"formIdentifier": form, "dataFeedElement": json.dumps(data)}
    return call("POST", "/formalize/submissions", body)["identifier"]


def deliveries(hook):
    return call("GET", f"/formalize/webhooks/{hook['identifier']}/deliveries")["items"]


def sign_and_rotate(verify):
    workshop, receiver = form(), Receiver()
    hook = webhook(workshop, receiver)
    old = hook["secret"]
    submission = submit(workshop, {"name": "Ada", "text": "ä\u2028</script>"})
    until("the first event", lambda: receiver.requests)
    headers, body = receiver.requests[0]
    assert verify(old, headers, body)
    assert not verify("whsec_" + "A" * 32, headers, body)
    assert not verify(old, headers, body + b" ")
    event = json.loads(body)
    assert event["type"] == "submission.submitted", event
    assert event["data"]["submissionIdentifier"] == submission, event
    assert json.loads(event["data"]["submission"]["dataFeedElement"])["name"] == "Ada", event
    assert event["identifier"] == headers["webhook-id"], headers

    path = f"/formalize/webhooks/{hook['identifier']}"
    new = call("POST", f"{path}/rotate-secret", {"overlapSeconds": 600})["secret"]
    submit(workshop, {})
    until("an event during the overlap", lambda: len(receiver.requests) == 2)
    assert all(verify(secret, *receiver.requests[1]) for secret in (old, new))
    newest = call("POST", f"{path}/rotate-secret", {"overlapSeconds": 0})["secret"]
    submit(workshop, {})
    until("an event after the overlap", lambda: len(receiver.requests) == 3)
    verified = [verify(secret, *receiver.requests[2]) for secret in (old, new, newest)]
    assert verified == [False, False, True], verified


def test_and_refuse():
    workshop, receiver = form(), Receiver()
    hook = webhook(workshop, receiver, enabled=False)
    tested = call("POST", f"/formalize/webhooks/{hook['identifier']}/test", {})
    assert (tested["status"], tested["error"]) == (204, None), tested
    headers, body = receiver.requests[0]
    assert verify_with_python(hook["secret"], headers, body)
    assert json.loads(body)["type"] == "webhook.test", body
    for url in ["http://127.0.0.2/", "https://localhost/", "https://169.254.169.254/", "https://[::1]/"]:
        try:
            call("POST", "/formalize/webhooks", {"formIdentifier": workshop, "url": url})
        except urllib.error.HTTPError as error:
            assert error.code == 400, (url, error.code)
            assert json.load(error)["relay:errorId"] == "formalize:webhook-invalid", url
        else:
            raise AssertionError(f"{url} was accepted")


def repeat():
    """The same bytes are sent again after an error, and after a time that the receiver asks for."""

    def answer(handler, number):
        handler.respond(500 if number == 1 else 204, body=b"oops" if number == 1 else b"")

    workshop, receiver = form(), Receiver(answer)
    hook = webhook(workshop, receiver)
    submit(workshop, {"a": 1})
    until("a second attempt", lambda: len(receiver.requests) == 2)
    (first, body), (second, again) = receiver.requests
    assert body == again and first["webhook-id"] == second["webhook-id"]
    assert verify_with_python(hook["secret"], second, again)
    until("delivered", lambda: deliveries(hook)[0]["state"] == "delivered")
    assert deliveries(hook)[0]["numAttempts"] == 2, deliveries(hook)


def fail():
    """Each failure is shown by its word or status, and what a receiver sends is not followed."""
    inside = Receiver()

    def redirect(handler, _):
        handler.respond(301, [("location", inside.url)])

    def large(handler, _):
        handler.respond(200, body=b" " * 10_000_000)

    def half(handler, _):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-")
        handler.close_connection = True

    def busy(handler, _):
        handler.respond(503, [("retry-after", "3600")])

    for answer, status, error in [
        (redirect, 301, "status"),
        (half, None, "protocol"),
        (busy, 503, "status"),
        (large, 200, None),
    ]:
        workshop, receiver = form(), Receiver(answer)
        hook = webhook(workshop, receiver)
        submit(workshop, {})
        until(
            f"{answer.__name__}: an attempt",
            lambda: any(delivery["numAttempts"] for delivery in deliveries(hook)),
        )
        delivery = deliveries(hook)[0]
        assert (delivery["lastStatus"], delivery["lastError"]) == (status, error), delivery
    assert not inside.requests

    workshop, receiver = form(), Receiver(lambda handler, _: handler.respond(410))
    hook = webhook(workshop, receiver)
    submit(workshop, {})
    path = f"/formalize/webhooks/{hook['identifier']}"
    until("disabled", lambda: call("GET", path)["disabledReason"] == "gone")
    assert deliveries(hook)[0]["state"] == "dead", deliveries(hook)


def main():
    verifiers = {"python": lambda: verify_with_python, "node": VerifyWithNode}
    for language in sys.argv[1:]:
        sign_and_rotate(verifiers[language]())
        print(f"{language}: signatures of both secrets are verified")
    test_and_refuse()
    repeat()
    fail()
    print("receivers that fail: ok")


main()
