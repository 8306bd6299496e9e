"""Refused POSTs through the connection pools of `requests` and `httpx`.

The arguments are the expected statuses. The client must get each of them, and its next request must succeed. Meanwhile
another client with its own pool reads 200 times.
"""

import os
import sys
import threading
import time

import httpx
import requests

URL = os.environ["FORMALIZE_URL"]
FORMS = f"{URL}/formalize/forms"
TOKEN = {"Authorization": f"Bearer {os.environ['FORMALIZE_TOKEN']}"}
JSON = {"Content-Type": "application/json"}

# Bodies up to 256 KiB are read to their end, others are not.
SIZES = [4, 50_000, 1_000_000, 3_000_000]

# The server was started so that each of these requests is refused with the status.
REFUSED = {
    401: ("POST", FORMS, JSON),
    404: ("POST", f"{URL}/nowhere", JSON),
    405: ("PUT", FORMS, JSON),
    413: ("POST", FORMS, JSON | TOKEN),
    415: ("POST", FORMS, {"Content-Type": "text/plain"} | TOKEN),
    429: ("POST", FORMS, JSON),
    431: ("POST", FORMS, {"X-Large": "x" * 16_000}),
}


def in_chunks(body):
    for start in range(0, len(body), 10_000):
        yield body[start : start + 10_000]


def read(client, times, failed):
    """Reads with its own pool, and records every failure."""
    for _ in range(times):
        try:
            status = client.request("GET", FORMS, headers=TOKEN).status_code
            if status != 200:
                failed.append(status)
        except Exception as error:
            failed.append(error)
        time.sleep(0.01)


def refuse(client, body, statuses):
    """Sends each request once. `body` is the name of the argument with the body."""
    for status in statuses:
        method, url, headers = REFUSED[status]
        for size in SIZES:
            data = b"x" * size
            for sent in (data, in_chunks(data)):
                case = f"{status} after {size} bytes{'' if sent is data else ' in chunks'}"
                try:
                    got = client.request(method, url, headers=headers, **{body: sent}).status_code
                    then = client.request("GET", FORMS, headers=TOKEN).status_code
                except (requests.RequestException, httpx.HTTPError) as error:
                    sys.exit(f"{case}: {error!r}")
                if (got, then) != (status, 200):
                    sys.exit(f"{case}: got {got}, and {then} for the next request")


statuses = [int(status) for status in sys.argv[1:]]
for library, client, body in [(requests, requests.Session, "data"), (httpx, httpx.Client, "content")]:
    failed = []
    with client() as mine, client() as other:
        # Where the rate is limited, this uses up what is allowed.
        mine.request("GET", FORMS)
        reader = threading.Thread(target=read, args=(other, 200, failed))
        reader.start()
        rounds = 0
        while rounds == 0 or reader.is_alive():
            refuse(mine, body, statuses)
            rounds += 1
        reader.join()
    if failed:
        sys.exit(f"{library.__name__}: {len(failed)} of 200 requests of another client failed: {failed[:3]}")
    requests_sent = rounds * len(statuses) * len(SIZES) * 2
    print(f"{library.__name__} {library.__version__}: {requests_sent} refused requests, 200 of 200 others succeeded")
