import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { untilTrue } from "../../../../test/support/running.ts";
import { ToolError } from "../../../core/errors.ts";
import { serveStdio } from "./serve-stdio.ts";

test("if the gateway cannot be opened, that is the only failure, also for a client that has sent nothing", async () => {
  const served = serveStdio({
    stdin: new PassThrough(),
    write: () => Promise.resolve(),
    print: () => undefined,
    ceilings: [],
    open: () => Promise.reject(new ToolError("UNAVAILABLE", "the store is broken")),
  });
  await assert.rejects(served.ended, /the store is broken/);
  await served.close();
});

test("it closes before a client has sent anything, reads no more and opens no gateway", async () => {
  const stdin = new PassThrough();
  const opened: (readonly string[])[] = [];
  const served = serveStdio({
    stdin,
    write: () => Promise.resolve(),
    print: () => undefined,
    ceilings: [],
    open: (roots) => Promise.reject(new Error(`${opened.push(roots)} opened`)),
    usesRoots: true,
  });
  const ended = assert.rejects(served.ended, { code: "CANCELLED" });
  await served.close();
  await ended;
  assert.deepEqual([opened, stdin.isPaused()], [[], true]);
});

test("what a client asked before it named its roots is answered when the server is closed", async () => {
  const stdin = new PassThrough();
  const written: { id?: unknown; method?: string; result?: unknown; error?: { message: string } }[] = [];
  const served = serveStdio({
    stdin,
    write: async (line) => void written.push(JSON.parse(line) as (typeof written)[number]),
    print: () => undefined,
    ceilings: [],
    open: () => Promise.reject(new Error("opened")),
    usesRoots: true,
  });
  const ended = assert.rejects(served.ended, { code: "CANCELLED" });
  const send = (message: object): void => {
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const clientInfo = { name: "c", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: { roots: {} }, clientInfo };
  send({ id: 1, method: "initialize", params });
  await untilTrue("the handshake is answered", () => written.some(({ id, result }) => id === 1 && result));
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/list" });
  await untilTrue("the roots are asked for", () => written.some(({ method }) => method === "roots/list"));
  await served.close();
  await ended;
  assert.match(written.find(({ id }) => id === 2)?.error?.message ?? "", /closed before it was ready/);
});
