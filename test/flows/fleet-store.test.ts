// The store in NATS at the command line: what one machine stores, another one has.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { startNats } from "../support/servers/nats.ts";
import { createPlace, runCli, runProcess, type Place } from "./support/cli.ts";

const MODEL = ["--model", "scripted/script.jsonl"];

/** A machine of its own: another home, whose config names the servers. */
function machine(t: TestContext, servers: readonly string[], ...answers: readonly object[]): Place {
  const place = createPlace(t);
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ store: "nats", fleet: { servers } }));
  place.write("script.jsonl", answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""));
  return place;
}

test("a session that one machine began is resumed on another, in another process, with all its messages", async (t) => {
  const { url } = await startNats(t);
  const [first, second] = [
    machine(t, [url], { calls: [{ name: "ls", input: {} }] }, { text: "The word is heron." }),
    machine(t, [url], { text: "It was heron.", when: "Which word?" }),
  ];
  const begun = await runProcess(first, ["run", "Remember a word.", ...MODEL]);
  assert.equal(begun.code, 0, begun.stderr);
  const [, session = ""] = /--resume (run-\w+)/.exec(begun.stderr) ?? [];
  const listed = await runCli(second, ["sessions", "--all", "--json"]);
  assert.match(listed.stdout, new RegExp(session), listed.stderr);
  const resumed = await runProcess(second, ["run", "Which word?", "--resume", session, "-q", ...MODEL]);
  assert.equal(resumed.stdout, "It was heron.\n", resumed.stderr);
  const shown = await runCli(first, ["sessions", "show", session]);
  for (const text of ["Remember a word.", "The word is heron.", "Which word?", "It was heron."])
    assert.ok(shown.stdout.includes(text), shown.stdout);
  const traced = await runCli(second, ["trace", "--all", "--json"]);
  assert.match(traced.stdout, /"name":"ls"/, traced.stderr);
  const doctor = await runCli(second, ["doctor"]);
  assert.match(doctor.stdout, new RegExp(`nats at ${url} is writable`));
});

test("a store in NATS without servers, or with servers that do not answer, is an error that says what to do", async (t) => {
  const none = await runCli(machine(t, []), ["call", "ls"]);
  assert.equal(none.code, 2, none.stderr);
  assert.match(none.stderr, /fleet\.servers is not set[\s\S]*"servers": \["nats:/);
  const silent = await runCli(machine(t, ["127.0.0.1:1"]), ["call", "ls"]);
  assert.notEqual(silent.code, 0);
  assert.match(silent.stderr, /cannot be reached at 127\.0\.0\.1:1/);
});
