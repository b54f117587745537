import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createAdmission, type AdmissionLimits } from "./admission.ts";

const LIMITS: AdmissionLimits = { requests: 4, turns: 2, turnMs: 60_000, listeners: 2, bytes: 1000 };

/** Sends requests to an admission whose works end when the test says so. */
function open(limits: Partial<AdmissionLimits> = {}) {
  const admission = createAdmission({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const send = (name: string, path = "/api/calls", body: string | undefined = "{}") => {
    const outgoing = new EventEmitter();
    const { promise, resolve } = Promise.withResolvers<Response>();
    const headers = { "content-length": `${body.length}` };
    const init = path === "/api/events" ? {} : { method: "POST", body, headers };
    const answered = admission
      .admit(new Request(`http://127.0.0.1${path}`, init), outgoing as ServerResponse, () => {
        begun.push(name);
        return promise;
      })
      .then(({ status, headers: sent }) => ({ status, retryAfter: sent.get("retry-after") }));
    return {
      answered,
      leave: () => outgoing.emit("close"),
      async end() {
        resolve(new Response("ok"));
        const { status } = await answered;
        outgoing.emit("close");
        return status;
      },
    };
  };
  return { begun, send, held: admission.held };
}

test("requests begin in the order in which they came, and over the limit they are refused until one is answered", async () => {
  const { begun, send } = open();
  const [a, b, c, d] = [send("a"), send("b"), send("c"), send("d")];
  const refused = { status: 429, retryAfter: "1" };
  assert.deepEqual(await send("e").answered, refused);
  assert.deepEqual(begun, ["a", "b"]);
  assert.equal(await b.end(), 200);
  await nextTurn();
  assert.deepEqual(begun, ["a", "b", "c"]);
  const f = send("f");
  for (const one of [a, c, d, f]) assert.equal(await one.end(), 200);
  assert.deepEqual(begun, ["a", "b", "c", "d", "f"]);
});

test("the work of a client that has left before its turn is never begun", async () => {
  const { begun, send, held } = open({ turns: 1 });
  const [a, gone, c] = [send("a"), send("gone"), send("c")];
  gone.leave();
  assert.equal((await gone.answered).status, 503);
  // It leaves in the moment in which it gets its turn.
  const d = send("d");
  assert.equal(await a.end(), 200);
  assert.equal(await c.end(), 200);
  assert.equal(await d.end(), 200);
  assert.deepEqual(begun, ["a", "c", "d"]);
  assert.deepEqual(held(), { requests: 0, listeners: 0, bytes: 0 });
});

test("a request that waits for long, as for an approval, holds up no other", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { begun, send } = open({ turns: 1, turnMs: 250 });
  const [slow, quick] = [send("slow"), send("quick")];
  await nextTurn();
  assert.deepEqual(begun, ["slow"]);
  t.mock.timers.tick(250);
  assert.equal(await quick.end(), 200);
  assert.equal(await slow.end(), 200);
  const next = send("next");
  assert.equal(await next.end(), 200);
});

test("listeners and the bytes of bodies are bounded, and what relieves the server is always admitted", async () => {
  const { begun, send, held } = open();
  const listeners = [send("1", "/api/events"), send("2", "/api/events")];
  assert.deepEqual(await send("3", "/api/events").answered, { status: 429, retryAfter: "1" });
  const large = send("large", "/execute", "x".repeat(900));
  assert.deepEqual(await send("more", "/mcp", "x".repeat(200)).answered, { status: 503, retryAfter: "1" });
  const cancel = send("cancel", "/api/calls/1/cancel", "x".repeat(200));
  assert.equal(await cancel.end(), 200);
  assert.deepEqual(held(), { requests: 1, listeners: 2, bytes: 900 });
  for (const one of [...listeners, large]) assert.equal(await one.end(), 200);
  assert.deepEqual(begun, ["1", "2", "large", "cancel"]);
  assert.deepEqual(held(), { requests: 0, listeners: 0, bytes: 0 });
});
