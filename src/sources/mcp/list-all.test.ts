import assert from "node:assert/strict";
import { test } from "node:test";
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
