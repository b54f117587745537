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
