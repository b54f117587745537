import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
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
