import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { untilTrue } from "../support/running.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";
import { createToken, requestAs } from "./support/people.ts";
import { startServeProcess, type ServedPlace } from "./support/serve.ts";

interface Waiting {
  readonly id: string;
  readonly approvedBy: readonly string[];
  readonly question: { readonly choices: readonly { readonly id: string }[] };
}

/** Adds people, each a role and groups, and returns their tokens by name. */
async function addPeople(place: Place, people: Readonly<Record<string, readonly string[]>>) {
  const tokens: Record<string, string> = {};
  for (const [name, flags] of Object.entries(people)) {
    const added = await runCli(place, ["user", "add", name, ...flags]);
    assert.equal(added.code, 0, added.stderr);
    tokens[name] = await createToken(place, name);
  }
  return tokens;
}

const RULES = [
  { tool: "write_file", except: { groups: ["data"] }, decision: "deny", reason: "only group data writes" },
  {
    tool: "write_file",
    who: { groups: ["data"] },
    decision: "ask",
    approvers: { groups: ["dba"], count: 2, notSelf: true },
  },
];

/** Starts two servers on one store, with people in groups. */
async function start(t: TestContext) {
  const place = createPlace(t);
  writeFileSync(join(place.home, "policy.json"), JSON.stringify({ rules: RULES }));
  const here = await startServeProcess(t, place, ["--mode", "yolo"]);
  const there = await startServeProcess(t, place, ["--mode", "yolo"]);
  const both = ["--role", "caller", "--role", "approver"];
  const tokens = await addPeople(place, {
    ada: ["--role", "caller", "--group", "data"],
    dora: [...both, "--group", "data", "--group", "dba"],
    bob: ["--role", "approver", "--group", "dba"],
    cat: ["--role", "approver", "--group", "dba"],
    eve: [...both, "--group", "web"],
    boss: ["--role", "admin"],
  });
  const as = async (
    name: string,
    method: string,
    path: string,
    body?: unknown,
    served: ServedPlace = there,
  ) => {
    const token = tokens[name] ?? (name === "owner" ? served.token : assert.fail(name));
    const { status, text } = await requestAs(served, token, method, path, body);
    return { status, body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> };
  };
  const write = (name: string, path: string, wait = false) =>
    as(name, "POST", "/api/calls", { name: "write_file", input: { path, content: "x" }, wait }, here);
  const waiting = async (name: string) =>
    (await as(name, "GET", "/api/approvals")).body["approvals"] as readonly Waiting[];
  const waitingId = async (): Promise<string> => {
    let id: string | undefined;
    await untilTrue("the call waits", async () => {
      id = (await waiting("boss"))[0]?.id;
      return id !== undefined;
    });
    return id ?? "";
  };
  const decide = (name: string, id: string, choice = "once") =>
    as(name, "POST", `/api/approvals/${id}`, { choice });
  const hasFile = (path: string): boolean => existsSync(join(place.folder, path));
  return { place, as, write, waiting, waitingId, decide, hasFile };
}

test("a group calls after approval by two people of another, given at another process than the call's", async (t) => {
  const { place, write, waiting, waitingId, decide, hasFile } = await start(t);
  // Of the wrong group, and of nobody: refused in every mode, although nobody is asked.
  for (const name of ["eve", "owner"]) {
    const refused = await write(name, `${name}.txt`, true);
    assert.match(JSON.stringify(refused.body), /only group data writes/, name);
    assert.equal(hasFile(`${name}.txt`), false);
  }
  assert.equal((await write("dora", "a.txt")).status, 202);
  const id = await waitingId();
  // Who may approve it sees it, and its caller; to the others it is as unknown.
  for (const [name, sees] of Object.entries({ bob: 1, cat: 1, dora: 1, boss: 1, eve: 0, ada: 0 }))
    assert.equal((await waiting(name)).length, sees, name);
  const unknown = await decide("eve", "none");
  const hidden = await decide("eve", id);
  assert.deepEqual([hidden.status, unknown.status], [409, 409]);
  assert.equal(JSON.stringify(hidden.body).replaceAll(id, "none"), JSON.stringify(unknown.body));
  // Nobody approves their own call, an administrator of no group none at all, and nobody for longer than once.
  for (const name of ["dora", "boss", "owner"]) assert.equal((await decide(name, id)).status, 403, name);
  assert.equal((await decide("bob", id, "always")).status, 400);
  const atTerminal = await runCli(place, ["approve", id]);
  assert.notEqual(atTerminal.code, 0);
  assert.match(atTerminal.stderr, /only 2 different people: group dba, but not the caller can approve/);
  const first = await decide("bob", id);
  assert.deepEqual([first.status, first.body["waits"]], [200, true]);
  assert.deepEqual((await waiting("cat"))[0]?.approvedBy, ["bob"]);
  assert.equal((await decide("bob", id)).status, 403);
  assert.equal(hasFile("a.txt"), false);
  const second = await decide("cat", id);
  assert.deepEqual([second.status, second.body["waits"]], [200, false]);
  await untilTrue("the call has run", () => hasFile("a.txt"));
  const { stdout } = await runCli(place, ["trace", "--all", "--json"]);
  assert.match(stdout, /"by":"bob, cat"/);
});

test("a denial by one approver counts, and an approval holds for no other call", async (t) => {
  const { write, waiting, waitingId, decide, hasFile } = await start(t);
  const answered = write("ada", "b.txt", true);
  const id = await waitingId();
  await decide("bob", id);
  assert.equal((await decide("cat", id, "no")).status, 200);
  assert.match(JSON.stringify((await answered).body), /declined/);
  assert.equal(hasFile("b.txt"), false);
  void write("ada", "c.txt");
  const next = await waitingId();
  assert.notEqual(next, id);
  assert.deepEqual((await waiting("bob"))[0]?.approvedBy, []);
  assert.equal((await decide("bob", id)).status, 409);
  await decide("bob", next, "no");
});
