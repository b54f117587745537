import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { RequestOptions } from "@modelcontextprotocol/client";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Connection } from "./connect.ts";
import { listAll } from "./list-all.ts";

const OPTIONS = { signal: new AbortController().signal, timeoutMs: 10_000 };

/** A connection to a server that answers each request for a page so. */
function connectionTo(answer: (page: number, options: RequestOptions) => Promise<JsonObject>): Connection {
  let page = 0;
  const client = {
    getServerCapabilities: () => ({ tools: {} }),
    request: (_request: unknown, _schema: unknown, options: RequestOptions) => answer((page += 1), options),
  };
  const fault = (error: unknown): unknown => error;
  return { client, fault } as unknown as Connection;
}

for (const [what, sizes, code] of [
  ["10000 on one page are listed", [10_000], "ok"],
  ["10001 on one page are too many", [10_001], "INVALID_OUTPUT"],
  ["more than a list of arguments may be are too many", [300_000], "INVALID_OUTPUT"],
  ["10001 on two pages are too many", [10_000, 1], "INVALID_OUTPUT"],
] as const) {
  test(what, async () => {
    const connection = connectionTo(async (page) => ({
      tools: Array.from({ length: sizes[page - 1] ?? 0 }, () => 0),
      ...(page < sizes.length && { nextCursor: String(page) }),
    }));
    const listed = listAll(connection, "tools", OPTIONS).then(
      () => "ok",
      (error: unknown) => (error instanceof ToolError ? error.code : String(error)),
    );
    assert.equal(await listed, code);
  });
}

test("a server that gives page after page has no longer for all of them than for one", async () => {
  const late = new ToolError("TOOL_TIMEOUT", "late");
  const connection = connectionTo(async (page, { timeout = 0 }) => {
    await wait(Math.min(timeout, 20));
    if (timeout < 20) throw late;
    return { tools: [], nextCursor: String(page) };
  });
  await assert.rejects(listAll(connection, "tools", { ...OPTIONS, timeoutMs: 100 }), late);
});
