import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { until } from "../../../../test/support/servers/mcp.ts";
import { createVirtualTime } from "../../../../test/support/virtual-time.ts";
import { createStdioWire } from "./stdio-wire.ts";

const MB = 1024 * 1024;

test("reading from a client pauses while it does not read its answers", async () => {
  const stdin = new PassThrough();
  let taken = 0;
  const unread: (() => void)[] = [];
  const wire = createStdioWire({
    stdin,
    write: () => new Promise<void>((resolve) => unread.push(resolve)),
    greet: async () => ({}),
    onFault: assert.fail,
  });
  const answer = ({ id }: { readonly id: number }): void => {
    taken += 1;
    void wire.send({ jsonrpc: "2.0", id, result: { text: "x".repeat(MB) } });
  };
  Object.assign(wire, { onmessage: answer });
  await wire.start();
  const asked = 200;
  for (let id = 1; id <= asked; id += 1)
    stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id, method: "ping", params: { text: "y".repeat(10_000) } })}\n`,
    );
  await until(() => stdin.isPaused(), "it waits for the client");
  assert.ok(taken < asked / 2, `${taken} were taken`);
  await until(() => {
    for (const read of unread.splice(0)) read();
    return taken === asked;
  }, "all are taken");
  await wire.close();
  assert.equal(stdin.isPaused(), true, "one that was closed takes nothing any more");
  for (const read of unread.splice(0)) read();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(stdin.isPaused(), true);
});

test("a message that is too long is answered with an error, and the next one is read", async () => {
  const stdin = new PassThrough();
  const written: string[] = [];
  const faults: string[] = [];
  createStdioWire({
    stdin,
    write: async (line) => void written.push(line),
    greet: async () => ({ greeted: true }),
    onFault: (message) => faults.push(message),
  });
  for (let count = 0; count < 33; count += 1) stdin.write("x".repeat(MB));
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: {} };
  stdin.write(`\n${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await until(() => written.some((line) => line.includes("greeted")), "the next one is answered");
  const answers = written.map(
    (line) => JSON.parse(line) as { readonly id: unknown; readonly error?: object },
  );
  assert.deepEqual(
    answers.map(({ id }) => id),
    [null, 1],
  );
  assert.match(JSON.stringify(answers[0]?.error), /33554432 characters/);
});

test("the time for the last answers begins when requests can be answered", async (t) => {
  const time = createVirtualTime(t);
  const stdin = new PassThrough();
  const opened = Promise.withResolvers<void>();
  const written: string[] = [];
  const wire = createStdioWire({
    stdin,
    write: async (line) => void written.push(line),
    greet: async () => ({}),
    onFault: assert.fail,
    opened: opened.promise,
  });
  let isEnded = false;
  void wire.ended.then(() => (isEnded = true));
  stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: "last", method: "ping" })}\n`);
  await time.pass(5000);
  assert.equal(isEnded, false);
  opened.resolve();
  await time.pass(1000);
  assert.equal(isEnded, false);
  await wire.send({ jsonrpc: "2.0", id: "last", result: {} });
  await wire.ended;
  assert.match(written.join(""), /"last"/);
});
