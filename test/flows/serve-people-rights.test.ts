import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { hasRight } from "../../src/app/config/access/http-tokens.ts";
import { BUILT_IN_ROLES } from "../../src/app/config/access/roles.ts";
import { ROUTES, type RouteName } from "../../src/app/http/api.ts";
import { OTHER_ROUTES } from "../../src/app/http/api/other-routes.ts";
import { createPlace, runCli } from "./support/cli.ts";
import { addPerson, createToken, requestAs, startWaiting, tokenId } from "./support/people.ts";
import type { ServedPlace } from "./support/serve.ts";

/** Bodies with which an operation would have its effect. Every operation that takes a body has one here. */
const BODIES = {
  run: { name: "write_file", input: { path: "run.txt", content: "x" }, wait: false },
  cancelCall: undefined,
  cancelChat: undefined,
  decide: { choice: "once" },
  approvePins: { changes: [] },
  setMode: { mode: "yolo" },
  explain: { command: "touch x" },
  allow: { command: "touch x" },
  refreshSource: undefined,
  drainWorker: undefined,
  retryDead: undefined,
  openChat: {},
  sendMessage: { text: "hello" },
  forkChat: { before: 1 },
  setChatModel: { model: "scripted/none" },
  renameSession: { title: "other" },
  execute: { tool: "write_file", params: { path: "executed.txt", content: "x" } },
  logout: {},
  mcp: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
} as const;

type Operation = (typeof ROUTES)[RouteName] | (typeof OTHER_ROUTES)[keyof typeof OTHER_ROUTES];
const OPERATIONS = Object.entries({ ...ROUTES, ...OTHER_ROUTES }) as readonly (readonly [
  string,
  Operation,
])[];
/** With the right, these wait for an approval or change what later requests need. */
const WITH_EFFECT: ReadonlySet<string> = new Set(["run", "execute", "decide", "setMode", "mcp", "mcpEvents"]);

function bodyOf(name: string): unknown {
  return (BODIES as Readonly<Record<string, unknown>>)[name];
}

/** Returns what requests can change. */
async function stateOf(served: ServedPlace): Promise<string> {
  const paths = ["policy", "approvals", "grants", "chats", "sessions?all=true", "calls"];
  const read = async (path: string) => (await requestAs(served, served.token, "GET", `/api/${path}`)).text;
  return JSON.stringify(await Promise.all(paths.map(read)));
}

test("every operation that takes a body has one here with which it would have an effect", () => {
  const missing = OPERATIONS.filter(
    ([name, { method }]) => (method === "POST" || method === "PUT") && !Object.hasOwn(BODIES, name),
  );
  assert.deepEqual(missing, []);
});

test("every operation is refused, without effect, to callers without its right and to those who no longer count", async (t) => {
  const { place, served, id } = await startWaiting(t);
  const pathOf = (name: string, { path }: Operation): string =>
    path.replaceAll(/\{\w+\}/g, name === "decide" ? id : "none");
  const tokens = new Map<keyof typeof BUILT_IN_ROLES, string>();
  for (const role of Object.keys(BUILT_IN_ROLES) as (keyof typeof BUILT_IN_ROLES)[])
    tokens.set(role, await addPerson(place, `a-${role}`, role));
  const revoked = await createToken(place, "a-admin");
  await runCli(place, ["user", "revoke", tokenId(revoked)]);
  const disabled = await addPerson(place, "disabled", "admin");
  await runCli(place, ["user", "disable", "disabled"]);
  const removed = await addPerson(place, "removed", "admin");
  await runCli(place, ["user", "remove", "removed"]);
  const other = createPlace(t);
  const foreign = await addPerson(other, "a-admin", "admin");
  const before = await stateOf(served);
  const gone = { none: undefined, revoked, disabled, removed, foreign, empty: "", wrong: "x".repeat(43) };
  for (const [name, operation] of OPERATIONS) {
    const send = (token: string | undefined) =>
      requestAs(served, token, operation.method, pathOf(name, operation), bodyOf(name));
    for (const [what, token] of Object.entries(gone))
      assert.equal((await send(token)).status, 401, `${name}, ${what}`);
    for (const [role, token] of tokens) {
      if (hasRight(BUILT_IN_ROLES[role], operation.rights)) continue;
      assert.equal((await send(token)).status, 403, `${name} as ${role}`);
    }
    if (operation.method !== "GET") assert.equal(await stateOf(served), before, name);
  }
  for (const [name, operation] of OPERATIONS) {
    if (WITH_EFFECT.has(name)) continue;
    for (const [role, token] of tokens) {
      if (!hasRight(BUILT_IN_ROLES[role], operation.rights)) continue;
      const path = pathOf(name, operation);
      const { status, text } = await requestAs(served, token, operation.method, path, bodyOf(name));
      assert.ok(![401, 403].includes(status), `${name} as ${role}: ${text}`);
    }
  }
  assert.equal(existsSync(join(place.folder, "asked.txt")), false);
});

test("user set says whether anything has changed", async (t) => {
  const place = createPlace(t);
  await addPerson(place, "alice", "caller");
  const set = async (...flags: string[]) => (await runCli(place, ["user", "set", "alice", ...flags])).stdout;
  assert.equal(await set("--role", "caller"), "alice is now caller: nothing has changed\n");
  const changed = "alice is now caller, in 1 group: data; what ran for alice has ended\n";
  assert.equal(await set("--group", "data"), changed);
  assert.equal(await set("--group", "data"), "alice is now caller, in 1 group: data: nothing has changed\n");
});
