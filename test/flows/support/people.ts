import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { untilTrue } from "../../support/running.ts";
import { createPlace, runCli, type Place } from "./cli.ts";
import { startServe, type ServedPlace } from "./serve.ts";

/** Adds a person with a role and returns a token of theirs. */
export async function addPerson(
  place: Place,
  name: string,
  role: string,
  flags: readonly string[] = [],
): Promise<string> {
  const added = await runCli(place, ["user", "add", name, "--role", role]);
  assert.equal(added.code, 0, added.stderr);
  return createToken(place, name, flags);
}

/** Creates another token of a person. */
export async function createToken(
  place: Place,
  name: string,
  flags: readonly string[] = [],
): Promise<string> {
  const { stdout, stderr } = await runCli(place, ["user", "token", name, ...flags]);
  assert.match(stdout, /^twp_[0-9a-f]{16}_[\w-]{43}\n$/, stderr);
  return stdout.trim();
}

/** The id of a token. */
export function tokenId(token: string): string {
  return token.split("_")[1] ?? "";
}

export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Sends a request with a token, or without. The body of a stream is not read. */
export async function requestAs(
  served: Pick<ServedPlace, "address">,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answered> {
  const ended = new AbortController();
  const response = await fetch(new URL(path, served.address), {
    method,
    signal: ended.signal,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(method !== "GET" && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const isStream = response.headers.get("content-type") === "text/event-stream";
  const text = isStream ? "" : await response.text();
  ended.abort();
  return { status: response.status, text };
}

/** Starts a server with a call of the administrator that waits for approval. */
export async function startWaiting(t: TestContext) {
  const place = createPlace(t);
  const served = await startServe(t, place, ["--mode", "ask"]);
  const body = { name: "write_file", input: { path: "asked.txt", content: "x" }, wait: false } as const;
  await served.send<"run">("POST", "/api/calls", body);
  let id = "";
  await untilTrue("the call waits", async () => {
    const { body: waiting } = await served.send<"approvals">("GET", "/api/approvals");
    id = waiting.approvals[0]?.id ?? "";
    return id !== "";
  });
  return { place, served, id };
}
