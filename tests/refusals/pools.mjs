// Refused POSTs through the connection pool of `fetch`.
//
// The arguments are the expected statuses. The client must get each of them, and its next request must succeed.
// Meanwhile another client with its own pool reads 200 times.

import { setTimeout } from 'node:timers/promises';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';

const url = process.env.FORMALIZE_URL;
const forms = `${url}/formalize/forms`;
const token = { Authorization: `Bearer ${process.env.FORMALIZE_TOKEN}` };
const json = { 'Content-Type': 'application/json' };

// Bodies up to 256 KiB are read to their end, others are not.
const sizes = [4, 50_000, 1_000_000, 3_000_000];

// The server was started so that each of these requests is refused with the status.
const refused = {
  401: ['POST', forms, json],
  404: ['POST', `${url}/nowhere`, json],
  405: ['PUT', forms, json],
  413: ['POST', forms, { ...json, ...token }],
  415: ['POST', forms, { 'Content-Type': 'text/plain', ...token }],
  429: ['POST', forms, json],
  431: ['POST', forms, { 'X-Large': 'x'.repeat(16_000) }],
};

async function status(method, address, headers, body) {
  const response = await fetch(address, { method, headers, body });
  // A response that is not read keeps its connection from being used again.
  await response.text();
  return response.status;
}

async function refuse(statuses) {
  for (const expected of statuses) {
    const [method, address, headers] = refused[expected];
    for (const size of sizes) {
      const got = await status(method, address, headers, Buffer.alloc(size, 'x')).catch((error) => error);
      const then = await status('GET', forms, token).catch((error) => error);
      if (got !== expected || then !== 200) {
        console.error(`${expected} after ${size} bytes: got`, got, 'and for the next request', then);
        process.exit(1);
      }
    }
  }
}

async function read() {
  const failed = [];
  for (let number = 0; number < 200; number += 1) {
    const got = await status('GET', forms, token).catch((error) => `${error.cause ?? error}`);
    if (got !== 200) failed.push(got);
    await setTimeout(10);
  }
  return failed;
}

// Each thread has a pool of its own.
if (isMainThread) {
  const statuses = process.argv.slice(2).map(Number);
  // Where the rate is limited, this uses up what is allowed.
  await status('GET', forms, {});
  const other = new Worker(new URL(import.meta.url));
  let failed;
  other.on('message', (message) => (failed = message));
  let rounds = 0;
  while (rounds === 0 || failed === undefined) {
    await refuse(statuses);
    rounds += 1;
  }
  if (failed.length > 0) {
    console.error(`fetch: ${failed.length} of 200 requests of another client failed:`, failed.slice(0, 3));
    process.exit(1);
  }
  const sent = rounds * statuses.length * sizes.length;
  console.log(`fetch of Node.js ${process.version}: ${sent} refused requests, 200 of 200 others succeeded`);
} else {
  parentPort.postMessage(await read());
}
