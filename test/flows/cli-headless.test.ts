// One task without a person: what is denied and how to allow it, the forms of the output, folders, rules, files and servers of one run.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test, type TestContext } from "node:test";
import { Ajv } from "ajv";
import { STREAM_EVENTS } from "../../src/app/cli/agent/run/stream-schema.ts";
import { WIRES } from "../support/models/provider-streams.ts";
import { serveProvider } from "../support/servers/provider-server.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";

const MODEL = ["-m", "scripted/script.jsonl"];
/** A picture of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function place(t: TestContext, ...answers: readonly object[]): Place {
  const made = createPlace(t);
  made.write("script.jsonl", answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""));
  return made;
}

const call = (name: string, input: object): object => ({ calls: [{ name, input }] });
const touch = call("shell", { command: "touch made" });
const edit = call("write_file", { path: "made", content: "x" });

for (const [what, answer, flags] of [
  ["a command", touch, ["--allow", "touch made"]],
  ["code of the project", call("shell", { command: "sh ./make.sh" }), ["--allow", "sh ./make.sh"]],
  ["an edit", edit, ["--mode", "edits"]],
] as const)
  test(`a denied call names the flag that allows it, and that flag does: ${what}`, async (t) => {
    const at = place(t, answer, { text: "Done." });
    at.write("make.sh", "touch made\n");
    const denied = await runCli(at, ["run", "Go.", ...MODEL]);
    assert.equal(denied.code, 0);
    const quoted = flags.map((word) => (word.includes(" ") ? `'${word}'` : word)).join(" ");
    assert.match(denied.stderr, new RegExp(`1 call was denied\\n  to allow it, add: ${quoted}\\n`));
    assert.equal(existsSync(join(at.folder, "made")), false);
    at.write("script.jsonl", `${JSON.stringify(answer)}\n{"text": "Done."}\n`);
    const allowed = await runCli(at, ["run", "Go.", ...flags, ...MODEL]);
    assert.equal(allowed.code, 0);
    assert.equal(existsSync(join(at.folder, "made")), true, allowed.stderr);
  });

test("--fail-on-denied exits with 3 after a denied call, and with 0 without one", async (t) => {
  const at = place(t, touch, { text: "Done." });
  assert.equal((await runCli(at, ["run", "Go.", "--fail-on-denied", ...MODEL])).code, 3);
  at.write("script.jsonl", '{"text": "Done."}\n');
  assert.equal((await runCli(at, ["run", "Go.", "--fail-on-denied", ...MODEL])).code, 0);
});

test("what a rule denies has no flag that would allow it", async (t) => {
  const at = place(t, touch, { text: "Done." });
  const { stderr } = await runCli(at, ["run", "Go.", "--deny", "touch", "--yes", ...MODEL]);
  assert.match(stderr, /1 call was denied\n/);
  assert.ok(!stderr.includes("to allow"), stderr);
  assert.equal(existsSync(join(at.folder, "made")), false);
});

test("--deny with a name that is a tool and a command denies both", async (t) => {
  const list = {
    calls: [
      { name: "ls", input: {} },
      { name: "shell", input: { command: "ls -a" } },
    ],
  };
  const at = place(t, list, { text: "Done." });
  const { stderr } = await runCli(at, ["run", "Go.", "--deny", "ls", "--yes", ...MODEL]);
  assert.match(stderr, /✗ ls [^]*✗ shell [^]*2 calls were denied\n/);
});

test("--output-format json prints one object: the answer, what was denied, what was spent", async (t) => {
  const at = place(t, touch, { text: "I may not." });
  const { stdout, code } = await runCli(at, ["run", "Go.", "--output-format", "json", ...MODEL]);
  assert.equal(code, 0);
  const outcome = JSON.parse(stdout) as Record<string, unknown>;
  assert.equal(outcome["kind"], "answered");
  assert.equal(outcome["text"], "I may not.");
  assert.equal(outcome["version"], 1);
  assert.equal(outcome["model"], "scripted/script.jsonl");
  const [denied, ...more] = outcome["denied"] as readonly Record<string, unknown>[];
  assert.equal(more.length, 0);
  assert.equal(denied?.["name"], "shell");
  assert.deepEqual(denied?.["input"], { command: "touch made" });
  assert.equal(denied?.["allowWith"], "--allow 'touch made'");
});

test("--output-format stream-json begins with its version, and every line has a time and a session", async (t) => {
  const at = place(t, call("ls", {}), { text: "Empty." });
  const { stdout } = await runCli(at, ["run", "Look.", "--output-format", "stream-json", ...MODEL]);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual([lines[0]?.["type"], lines[0]?.["version"]], ["run.started", 1]);
  assert.equal(lines.at(-1)?.["type"], "outcome");
  for (const line of lines) {
    assert.equal(typeof line["at"], "number", JSON.stringify(line));
    assert.match(String(line["session"]), /^run-\w+/, JSON.stringify(line));
  }
});

test("every line of stream-json, and the line of json, is valid by the schema that the program prints", async (t) => {
  const { stdout: printed } = await runCli(createPlace(t), ["schema", "stream-json"]);
  const validate = new Ajv({ strict: false }).compile(JSON.parse(printed) as object);
  const script = [call("ls", {}), touch, call("nope", {}), { text: "Done." }] as const;
  for (const format of ["json", "stream-json"]) {
    const at = place(t, ...script);
    const { stdout } = await runCli(at, ["run", "Look.", "--output-format", format, ...MODEL]);
    for (const line of stdout.trimEnd().split("\n"))
      assert.ok(validate(JSON.parse(line)), `${line}: ${JSON.stringify(validate.errors?.at(-1))}`);
  }
  assert.equal(validate({ type: "outcome", at: 1, session: "s" }), false);
});

test("the page about headless use names every type of line", () => {
  const page = readFileSync("docs/headless.md", "utf8");
  for (const type of Object.keys(STREAM_EVENTS)) assert.ok(page.includes(`\`${type}\``), type);
});

test("--output writes the answer to a file, also as JSON of a schema", async (t) => {
  const at = place(t, { text: '{"count": 3}' });
  at.write("schema.json", '{"type": "object"}');
  const flags = ["--output-schema", "schema.json", "-o", "answer.json"];
  const { code, stderr } = await runCli(at, ["run", "Count.", ...flags, ...MODEL]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(readFileSync(join(at.folder, "answer.json"), "utf8")), { count: 3 });
  at.write("script.jsonl", '{"text": "x"}\n');
  const failed = await runCli(at, ["run", "Count.", "-o", "no/such/folder", ...MODEL]);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /--output: cannot write no\/such\/folder: /);
});

test("-C works in another folder, and --add-dir adds one", async (t) => {
  const at = createPlace(t);
  for (const name of ["inner", "shared"]) mkdirSync(join(at.folder, name));
  writeFileSync(join(at.folder, "shared", "a.txt"), "in shared\n");
  const script = [call("read_file", { path: "../shared/a.txt" }), { text: "Read.", when: "in shared" }];
  const story = script.map((answer) => `${JSON.stringify(answer)}\n`).join("");
  writeFileSync(join(at.folder, "inner", "script.jsonl"), story);
  const { code, stdout, stderr } = await runCli(at, [
    "run",
    "x",
    "-C",
    "inner",
    "--add-dir",
    "shared",
    ...MODEL,
  ]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "Read.\n");
  const without = await runCli(at, ["run", "x", "-C", "inner", ...MODEL]);
  assert.match(without.stderr, /DENIED/);
  const missing = await runCli(at, ["run", "x", "--add-dir", "nope", ...MODEL]);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /--add-dir: "nope" does not exist/);
});

test("@file, @file:LINES and --image attach files; @ in piped text is text", async (t) => {
  const at = place(t, { text: "Seen.", when: "second" });
  at.write("a.txt", "first\nsecond\nthird\n");
  writeFileSync(join(at.folder, "dot.png"), PNG);
  const args = ["run", "See @a.txt:2-2 and @nobody", "--image", "dot.png", "--json", ...MODEL];
  const { code, stdout, stderr } = await runCli(at, args);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /no such file, sent as text: @nobody/);
  assert.ok(stdout.includes("image/png"));
  assert.ok(!stdout.includes("third"));
  at.write("script.jsonl", '{"text": "Plain.", "when": "@a.txt"}\n');
  const piped = await runCli(at, ["run", "-", "--json", ...MODEL], { input: "See @a.txt" });
  assert.ok(!piped.stdout.includes("second"), piped.stdout);
});

test("a file outside the workspace after @ is judged like any read, and --image attaches it", async (t) => {
  const at = place(t, { text: "x" }, { text: "y" });
  writeFileSync(join(at.home, "secret.txt"), "hidden\n");
  const outside = join(at.home, "secret.txt");
  const refused = await runCli(at, ["run", `See @${outside}`, ...MODEL]);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /cannot be attached/);
  writeFileSync(join(at.home, "dot.png"), PNG);
  const named = await runCli(at, ["run", "See it", "--image", join(at.home, "dot.png"), ...MODEL]);
  assert.equal(named.code, 0, named.stderr);
});

test("--append-system-prompt ends the system prompt of the request", async (t) => {
  const server = await serveProvider(t, [{ body: WIRES.compatible.stream({ text: "Arr." }) }]);
  const { stdout, stderr } = await runCli(
    createPlace(t),
    ["run", "Hello.", "-m", "compatible/x", "--append-system-prompt", "Talk like a pirate."],
    { environment: { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` } },
  );
  assert.equal(stdout, "Arr.\n", stderr);
  assert.match(server.requests[0]?.text ?? "", /Talk like a pirate\."\},\{"role":"user"/);
});

test("--mcp-config starts servers for this run", async (t) => {
  const at = place(t, call("activate_tools", {}), { text: "Done." });
  const server = {
    command: process.execPath,
    args: [resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js")],
  };
  const config = JSON.stringify({ mcpServers: { every: server } });
  const { stdout } = await runCli(at, ["run", "x", "--mcp-config", config, "--json", ...MODEL]);
  assert.match(stdout, /"source":"mcp:every"/);
  const bad = await runCli(at, ["run", "x", "--mcp-config", "[1]", ...MODEL]);
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /--mcp-config: cannot read \[1\]/);
});

test("without a model, the key in the environment is used, as doctor finds it", async (t) => {
  const at = createPlace(t);
  const { stderr } = await runCli(at, ["run", "x", "--max-seconds", "5"], {
    environment: { ANTHROPIC_API_KEY: "k".repeat(20), ANTHROPIC_BASE_URL: "http://127.0.0.1:9/v1" },
  });
  assert.match(
    stderr,
    /no model is set, using anthropic\/\S+ \(ANTHROPIC_API_KEY\); toolwright config set model/,
  );
  assert.ok(!stderr.includes("name one with"), stderr);
});

test("-i and chat MESSAGE start a conversation with a message", async (t) => {
  for (const args of [
    ["-i", "Hello."],
    ["chat", "Hello."],
  ]) {
    const at = place(t, { text: "Hi.", when: "Hello" }, { text: "Bye.", when: "Later" });
    const { code, stdout } = await runCli(at, [...args, ...MODEL], { input: "Later.\n" });
    assert.equal(code, 0);
    assert.equal(stdout, "Hi.\nBye.\n");
  }
});

for (const [flag, says] of [
  ["--yolo", "--mode yolo"],
  ["--dangerously-skip-permissions", "--mode yolo"],
  ["--allowedTools", "--allow PATTERN"],
  ["--permission-mode", "--mode MODE"],
  ["--include-directories", "--add-dir FOLDER"],
  ["--output-last-message", "--output FILE"],
  ["--max-budget-usd", "--max-cost AMOUNT"],
] as const)
  test(`the flag ${flag} of other agents is answered with ${says}`, async (t) => {
    for (const args of [
      ["run", "x", flag],
      ["x y", flag],
    ]) {
      const { code, stderr } = await runCli(createPlace(t), args);
      assert.equal(code, 2);
      assert.ok(stderr.includes(`unknown flag ${flag}`) && stderr.includes(says), stderr);
    }
  });

test("--allow in the form of another agent says how it is written here", async (t) => {
  const at = place(t, { text: "x" });
  const { code, stderr } = await runCli(at, ["run", "x", "--allow", "Bash(npm test:*)", ...MODEL]);
  assert.equal(code, 2);
  assert.match(stderr, /write the command: --allow 'npm test \*'/);
});

test("--allow with a star allows a command with any arguments", async (t) => {
  const at = place(t, touch, { text: "Done." });
  const { stderr } = await runCli(at, ["run", "x", "--allow", "touch *", ...MODEL]);
  assert.equal(existsSync(join(at.folder, "made")), true, stderr);
});
