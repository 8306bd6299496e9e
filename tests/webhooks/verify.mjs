// Verifies requests of webhooks: reads one `{"secret", "headers", "body"}` per line, and answers with `true` or `false`.

import { createInterface } from "node:readline";
import { Webhook } from "standardwebhooks";

for await (const line of createInterface({ input: process.stdin })) {
  const { secret, headers, body } = JSON.parse(line);
  try {
    new Webhook(secret).verify(body, headers);
    console.log("true");
  } catch {
    console.log("false");
  }
}
