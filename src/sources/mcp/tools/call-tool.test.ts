import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestOptions } from "@modelcontextprotocol/client";
import * as sdk from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../core/json.ts";
import { callAsTask } from "./call-tool.ts";
import type { Connection } from "../connection/connection.ts";

const PARAMS = { name: "slow", arguments: { a: 1 } };
const DONE = { content: [{ type: "text", text: "done" }] };

interface Asked {
  readonly method: string;
  readonly params: JsonObject;
}

type Answer = (asked: Asked, signal: AbortSignal | undefined) => Promise<JsonObject>;

/** A connection to a server with these answers, and the requests it received. */
function serverThat(answer: Answer): { readonly connection: Connection; readonly asked: readonly Asked[] } {
  const asked: Asked[] = [];
  const request = (one: Asked, _schema: unknown, options?: RequestOptions): Promise<JsonObject> => {
    asked.push(one);
    return answer(one, options?.signal);
  };
  return { connection: { sdk, client: { request } } as unknown as Connection, asked };
}

const begins: Answer = async ({ method }) => (method === "tools/call" ? { task: { taskId: "t1" } } : DONE);

test("a tool that runs as a task is started, and its result is awaited", async () => {
  const { connection, asked } = serverThat(begins);
  assert.deepEqual(await callAsTask(connection, PARAMS, {}), DONE);
  assert.deepEqual(asked, [
    { method: "tools/call", params: { ...PARAMS, task: {} } },
    { method: "tasks/result", params: { taskId: "t1" } },
  ]);
});

test("a server that starts no task, or ends one without a result, is INVALID_OUTPUT", async () => {
  const none = serverThat(async () => DONE);
  await assert.rejects(callAsTask(none.connection, PARAMS, {}), { code: "INVALID_OUTPUT" });
  const empty = serverThat(async (one, signal) => (one.method === "tasks/result" ? {} : begins(one, signal)));
  await assert.rejects(callAsTask(empty.connection, PARAMS, {}), { code: "INVALID_OUTPUT" });
});

for (const [when, stopsAt] of [
  ["while it runs", "tasks/result"],
  ["as it begins", "tools/call"],
] as const) {
  test(`a call that is aborted ${when} cancels its task`, async () => {
    const stop = new AbortController();
    const { connection, asked } = serverThat(async (one, signal) => {
      if (one.method === stopsAt) stop.abort(new Error("enough"));
      if (one.method === "tasks/result") signal?.throwIfAborted();
      return begins(one, signal);
    });
    await assert.rejects(callAsTask(connection, PARAMS, { signal: stop.signal }), /enough/);
    assert.deepEqual(
      asked.filter(({ method }) => method === "tasks/cancel"),
      [{ method: "tasks/cancel", params: { taskId: "t1" } }],
    );
  });
}
