import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import type { Mockttp } from "mockttp";
import { captureTraffic } from "./capture-traffic.ts";
import type { CapturedExchange } from "./messages.ts";

const body = { buffer: Buffer.alloc(0) };
const timingEvents = { startTime: 0, startTimestamp: 0, responseSentTimestamp: 5 };
const request = {
  id: "1",
  method: "POST",
  url: "http://a/",
  httpVersion: "1.1",
  rawHeaders: [],
  timingEvents,
  body,
};
const response = {
  id: "1",
  statusCode: 303,
  statusMessage: "",
  rawHeaders: [],
  tags: [],
  timingEvents,
  body,
};
const abort = { ...request, error: undefined };

/** Emits events in an order; returns what was reported, and how long all of it took to settle. */
async function report(...events: readonly (readonly [name: string, value: object])[]) {
  const server = new EventEmitter();
  const found: CapturedExchange[] = [];
  const settled = await captureTraffic(server as unknown as Mockttp, (exchange) => found.push(exchange));
  for (const [name, value] of events) server.emit(name, value);
  const isSettled = await Promise.race([
    settled().then(() => true),
    new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(false)))),
  ]);
  return { statuses: found.map((one) => one.response?.status ?? one.error), isSettled };
}

test("an exchange is reported once and settles, whatever the order of its events", async () => {
  const once = { statuses: [303], isSettled: true };
  assert.deepEqual(await report(["request", request], ["response", response]), once);
  assert.deepEqual(
    await report(["response", response], ["request", request]),
    once,
    "a server may answer before the body of the request was read",
  );
});

test("a WebSocket that was opened is not reported again when it ends", async () => {
  const opened = { ...response, statusCode: 101 };
  const server = new EventEmitter();
  const found: CapturedExchange[] = [];
  const settled = await captureTraffic(server as unknown as Mockttp, (exchange) => found.push(exchange));
  server.emit("websocket-request", request);
  server.emit("websocket-accepted", opened);
  await settled();
  server.emit("abort", abort);
  await settled();
  assert.deepEqual(
    found.map((one) => one.response?.status ?? one.error),
    [101],
  );
});

test("a request that the client ended is reported as that", async () => {
  const { statuses, isSettled } = await report(["request", request], ["abort", abort]);
  assert.deepEqual([statuses, isSettled], [["the client ended the request"], true]);
});
