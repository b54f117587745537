import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { RequestOptions } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Connection } from "../connection/connection.ts";
import { listAll } from "./listing.ts";

const OPTIONS = { signal: new AbortController().signal, timeoutMs: 10_000 };

/** A connection to a server with these answers to each page request. */
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

test("the time limit holds for all pages together", async () => {
  const late = new ToolError("TOOL_TIMEOUT", "late");
  const connection = connectionTo(async (page, { timeout = 0 }) => {
    await wait(Math.min(timeout, 20));
    if (timeout < 20) throw late;
    return { tools: [], nextCursor: String(page) };
  });
  await assert.rejects(listAll(connection, "tools", { ...OPTIONS, timeoutMs: 100 }), late);
});

test("the size limit holds for all pages together", async () => {
  let pages = 0;
  const connection = connectionTo(async (page) => {
    pages = page;
    return { tools: [{ name: `t${page}`, description: "x".repeat(1000) }], nextCursor: String(page) };
  });
  await assert.rejects(listAll(connection, "tools", { ...OPTIONS, maxCharacters: 10_000 }), (error) => {
    assert.ok(error instanceof ToolError);
    assert.deepEqual(
      [error.code, error.message],
      ["INVALID_OUTPUT", "it lists more than 10000 characters of tools"],
    );
    return true;
  });
  assert.equal(pages, 10, "it was not asked for more");
});

test("only the list of a page counts, and a list at the limit is accepted", async () => {
  const items = ["x".repeat(100), "y".repeat(100)];
  const connection = connectionTo(async (page) => ({
    tools: [items[page - 1] ?? ""],
    padding: "z".repeat(1000),
    ...(page < items.length && { nextCursor: String(page) }),
  }));
  assert.deepEqual(await listAll(connection, "tools", { ...OPTIONS, maxCharacters: 208 }), items);
});
