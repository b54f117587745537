// One task for an agent at the command line, with the scripted model in place of a provider.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import {
  createPlace,
  longCommand,
  processesWith,
  runCli,
  startCli,
  until,
  withoutProc,
  type Place,
} from "./support/cli.ts";

const MODEL = ["--model", "scripted/script.jsonl"];

function place(t: TestContext, ...answers: readonly object[]): Place {
  const made = createPlace(t);
  made.write("script.jsonl", answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""));
  return made;
}

const call = (name: string, input: object): object => ({ calls: [{ name, input }] });

test("a task is answered: only the answer is on standard output, and the calls are on standard error", async (t) => {
  const at = place(t, call("read_file", { path: "a.txt" }), { text: "It says hello.", when: "hello" });
  at.write("a.txt", "hello\n");
  const { code, stdout, stderr } = await runCli(at, ["run", "What does a.txt say?", ...MODEL]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "It says hello.\n");
  assert.match(stderr, /^→ read_file path=a\.txt\n✓ read_file \d+ ms ok\n/);
  assert.match(stderr, /toolwright run --resume run-\w+/);
});

test("a call that needs approval is denied without a terminal, and the model gets the denial", async (t) => {
  const at = place(t, call("shell", { command: "touch made" }), { text: "I may not.", when: "no terminal" });
  const { code, stdout } = await runCli(at, ["run", "Make a file.", "--quiet", ...MODEL]);
  assert.equal(code, 0);
  assert.equal(stdout, "I may not.\n");
  assert.equal(existsSync(join(at.folder, "made")), false);
});

test("with --mode yolo the call runs", async (t) => {
  const at = place(t, call("write_file", { path: "made", content: "x" }), { text: "Done." });
  const { code, stderr } = await runCli(at, ["run", "Make a file.", "--mode", "yolo", "-q", ...MODEL]);
  assert.equal(code, 0, stderr);
  assert.equal(readFileSync(join(at.folder, "made"), "utf8"), "x");
  assert.equal(stderr, "");
});

test("--json prints events, and the outcome last", async (t) => {
  const at = place(t, call("ls", {}), { text: "Empty." });
  const { code, stdout, stderr } = await runCli(at, ["run", "Look.", "--json", ...MODEL]);
  assert.equal(code, 0, stderr);
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const types = new Set(events.map(({ type }) => type));
  for (const type of ["turn.started", "model.text", "message.added", "call.answered", "agent.state"])
    assert.ok(types.has(type), type);
  const last = events.at(-1);
  assert.equal(last?.["type"], "outcome");
  assert.equal(last?.["kind"], "answered");
  assert.equal(last?.["text"], "Empty.");
});

test("a resumed session has its earlier messages", async (t) => {
  const at = place(t, { text: "Noted." }, { text: "You said blue.", when: "blue" });
  const first = await runCli(at, ["run", "My colour is blue.", ...MODEL]);
  const id = /run-\w+/.exec(first.stderr)?.[0] ?? "";
  at.write("script.jsonl", '{"text": "You said blue.", "when": "Which"}\n');
  const second = await runCli(at, ["run", "Which colour?", "--resume", id, "--json", ...MODEL]);
  assert.equal(second.code, 0, second.stderr);
  const unknown = await runCli(at, ["run", "x", "--resume", `${id}x`, ...MODEL]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, new RegExp(`did you mean ${id}`));
});

test("the answer matches --output-schema, after a second try if needed", async (t) => {
  const at = place(t, { text: "three" }, { text: '{"count": 3}' });
  at.write(
    "schema.json",
    '{"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}',
  );
  const { code, stdout, stderr } = await runCli(at, [
    "run",
    "Count.",
    "--output-schema",
    "schema.json",
    ...MODEL,
  ]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { count: 3 });
});

test("an answer that never matches the schema is a failure", async (t) => {
  const at = place(t, { text: "three", repeat: true });
  at.write("schema.json", '{"type": "object"}');
  const { code, stdout } = await runCli(at, ["run", "Count.", "--output-schema", "schema.json", ...MODEL]);
  assert.equal(code, 1);
  assert.equal(stdout, "");
});

test("at the turn limit it stops, reports it, and can be resumed", async (t) => {
  const at = place(t, { ...call("ls", {}), repeat: true });
  const { code, stderr } = await runCli(at, ["run", "Look for ever.", "--max-turns", "2", ...MODEL]);
  assert.equal(code, 1);
  assert.match(stderr, /toolwright: stopped \(turns\): /);
});

test("Ctrl-C cancels the task and its processes, and exits 130", { skip: withoutProc }, async (t) => {
  const { command, mark } = longCommand();
  const at = place(t, call("shell", { command }), { text: "never" });
  const running = startCli(at, ["run", "Wait.", "--mode", "yolo", ...MODEL]);
  await until("the command runs", () => processesWith(mark).length > 0);
  running.child.kill("SIGINT");
  const { code } = await running.finished;
  assert.equal(code, 130);
  assert.deepEqual(processesWith(mark), []);
});

for (const [what, args, says] of [
  ["no task", ["run", ...MODEL], /missing task/],
  ["no model", ["run", "x"], /no model is set/],
  ["a provider nobody knows", ["run", "x", "--model", "anthropc/x"], /did you mean anthropic/],
  ["a limit that is none", ["run", "x", "--max-turns", "0", ...MODEL], /invalid value "0" for --max-turns/],
  [
    "a schema that is not there",
    ["run", "x", "--output-schema", "no.json", ...MODEL],
    /cannot read no\.json/,
  ],
  ["a schema that is no JSON", ["run", "x", "--output-schema", "script.jsonl", ...MODEL], /not valid JSON/],
] as const) {
  test(`${what} is told, and exits 2`, async (t) => {
    const { code, stderr } = await runCli(place(t, { text: "x" }, { text: "y" }), args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, says);
  });
}

test("a missing key and a missing price are named", async (t) => {
  const key = await runCli(createPlace(t), ["run", "x", "--model", "anthropic/any"]);
  assert.match(key.stderr, /ANTHROPIC_API_KEY is not set/);
  assert.equal(key.code, 1);
  const price = await runCli(place(t, { text: "x" }), ["run", "x", "--max-cost", "1", ...MODEL]);
  assert.notEqual(price.code, 0);
  assert.match(price.stderr, /price/);
});
