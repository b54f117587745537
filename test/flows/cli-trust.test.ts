import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli, startCli, until, withoutProc, type Place } from "./support/cli.ts";

const ON_A_TERMINAL = [
  "python3",
  "-c",
  "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))",
];
const hasPython = spawnSync("python3", ["-c", "import os, pty; os.waitstatus_to_exitcode"]).status === 0;
const skip = withoutProc || (hasPython ? false : "needs python3, whose pty module makes pseudo terminals");

function put(place: Place, name: string, content: unknown): void {
  const path = join(place.folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

/** A hook that leaves a mark. */
const mark = { name: "mark", on: "before_tool", action: { type: "command", program: ["sh", "mark.sh"] } };

function putHook(place: Place, hook: object = mark, script = "touch marked"): void {
  put(place, ".toolwright/config.json", { hooks: [hook] });
  put(place, "mark.sh", script);
}

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly state: string;
}

async function statesOf(place: Place): Promise<readonly string[]> {
  const { stdout } = await runCli(place, ["trust", "--json"]);
  return (JSON.parse(stdout) as readonly Row[]).map(({ kind, name, state }) => `${kind}:${name} ${state}`);
}

const readAny = ["call", "ls", "path=."];

test("a project's hook runs only once it is trusted, and is off again when its script changes", async (t) => {
  const place = createPlace(t);
  const marked = join(place.folder, "marked");
  putHook(place);
  const before = await runCli(place, readAny);
  assert.equal(before.code, 0);
  assert.match(
    before.stderr,
    /^toolwright: warning: hook:mark is not used until you trust it: toolwright trust\n$/,
  );
  assert.equal(existsSync(marked), false);

  assert.match((await runCli(place, ["trust", "hook:mark"])).stdout, /^trusted: hook:mark\n$/);
  const after = await runCli(place, readAny);
  assert.deepEqual([after.code, after.stderr], [0, ""]);
  assert.equal(existsSync(marked), true);

  put(place, "mark.sh", "touch stolen");
  assert.deepEqual(await statesOf(place), ["hook:mark changed"]);
  assert.match((await runCli(place, readAny)).stderr, /hook:mark is not used until you trust it/);
  assert.equal(existsSync(join(place.folder, "stolen")), false);
});

test("the user's own hooks are trusted, and their denial is printed with its reason", async (t) => {
  const place = createPlace(t);
  const hook = {
    name: "frozen",
    on: "before_tool",
    match: { tool: "write_*" },
    action: { type: "block", reason: "frozen until Monday" },
  };
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ hooks: [hook] }));
  const args = ["call", "write_file", "path=a.txt", "content=x", "--mode", "yolo"];
  const { code, stderr } = await runCli(place, args);
  assert.equal(code, 3);
  assert.match(stderr, /hook "frozen" refused it: frozen until Monday/);
  assert.equal(existsSync(join(place.folder, "a.txt")), false);
  assert.equal((await runCli(place, readAny)).code, 0);
});

test("a project's looser mode applies only once it is trusted, and only as it was trusted", async (t) => {
  const place = createPlace(t);
  put(place, ".toolwright/config.json", { mode: "yolo" });
  const write = ["call", "write_file", "path=a.txt", "content=x"];
  const denied = await runCli(place, write);
  assert.equal(denied.code, 3);
  assert.match(denied.stderr, /mode is ignored, a project may only tighten it until it is trusted/);
  assert.equal((await runCli(place, ["trust", "setting:mode"])).code, 0);
  assert.deepEqual([(await runCli(place, write)).code, existsSync(join(place.folder, "a.txt"))], [0, true]);
  assert.equal((await runCli(place, ["trust", "--revoke", "setting:mode"])).stdout, "off: setting:mode\n");
  assert.equal((await runCli(place, write)).code, 3);
});

test("a stricter setting of a project applies at once", async (t) => {
  const place = createPlace(t);
  put(place, ".toolwright/config.json", { mode: "plan" });
  assert.equal((await runCli(place, ["call", "write_file", "path=a.txt", "content=x", "--yes"])).code, 3);
  assert.deepEqual(await statesOf(place), []);
});

test("trust lists every item with its state and what to run, and writes nothing", async (t) => {
  const place = createPlace(t);
  putHook(place);
  put(place, ".mcp.json", { mcpServers: { "do\u001b[2Jcs\n": { command: "x\u202e" } } });
  const { code, stdout, stderr } = await runCli(place, ["trust"]);
  assert.equal(code, 0);
  assert.match(stdout, /^new  hook:mark +on before_tool: runs \["sh","mark\.sh"\]$/m);
  assert.match(stdout, /^new  mcp_server:do\\u\{1b\}\[2Jcs\\n  \{"command":"x\\u\{202e\}"\}$/m);
  assert.match(stderr, /run toolwright trust KIND:NAME to trust an item, or toolwright trust --all/);
  assert.equal(existsSync(join(place.home, "state")), false);
});

test("a folder without such items says so, and a call in it prints no warning", async (t) => {
  const place = createPlace(t);
  const { code, stdout, stderr } = await runCli(place, ["trust"]);
  assert.deepEqual([code, stdout, stderr], [0, "nothing in this folder needs trust\n", ""]);
  assert.equal((await runCli(place, readAny)).stderr, "");
});

test("--all trusts every item, --revoke revokes every item, including removed ones", async (t) => {
  const place = createPlace(t);
  putHook(place);
  put(place, ".toolwright/tools/weather", "#!/bin/sh\n");
  assert.equal((await runCli(place, ["trust", "--all"])).code, 0);
  assert.deepEqual(await statesOf(place), ["hook:mark trusted", "tool:weather trusted"]);
  putHook(place, { ...mark, name: "other" });
  const { stdout } = await runCli(place, ["trust", "--revoke"]);
  assert.deepEqual(stdout.split("\n").toSorted(), ["", "off: hook:mark", "off: tool:weather"]);
  putHook(place);
  assert.deepEqual(await statesOf(place), ["hook:mark new", "tool:weather new"]);
  assert.equal((await runCli(place, ["trust", "--revoke"])).stdout, "nothing in this folder is trusted\n");
});

test("an unknown item, and a store in memory, are errors with a hint", async (t) => {
  const place = createPlace(t);
  putHook(place);
  const missing = await runCli(place, ["trust", "hook:mork"]);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /unknown item "hook:mork"\n +did you mean hook:mark\?/);
  await runCli(place, ["trust", "--all"]);
  const other = await runCli(place, ["trust", "--revoke", "rule:tests"]);
  assert.match(other.stderr, /unknown item "rule:tests"\n {2}items: hook:mark\n$/, "each item once");
  const memory = await runCli(place, ["trust", "hook:mark", "--store", ":memory:"]);
  assert.equal(memory.code, 2);
  assert.match(memory.stderr, /trust cannot be stored in memory/);
});

test("doctor lists untrusted items and how to trust them", async (t) => {
  const place = createPlace(t);
  putHook(place);
  const { code, stdout } = await runCli(place, ["doctor"]);
  assert.equal(code, 0);
  assert.match(stdout, /^note +trust: hook:mark is not used until you trust it: toolwright trust$/m);
});

test("a trusted hook of the project runs on a changed file before the command ends", async (t) => {
  const place = createPlace(t);
  putHook(place, { ...mark, on: "file_changed", match: { path: "*.txt" } }, "cat > seen.json");
  await runCli(place, ["trust", "--all"]);
  assert.equal((await runCli(place, ["call", "write_file", "path=a.txt", "content=x", "--yes"])).code, 0);
  const seen = JSON.parse(readFileSync(join(place.folder, "seen.json"), "utf8"));
  assert.deepEqual(seen.file, { path: join(place.folder, "a.txt"), change: "created" });
});

const ANSWERS = [
  { keys: ["y\r", "n\r"], states: ["hook:mark trusted", "tool:weather new"] },
  { keys: ["n\r", "y\r"], states: ["hook:mark new", "tool:weather trusted"] },
  { keys: ["a\r"], states: ["hook:mark trusted", "tool:weather trusted"] },
  { keys: ["q\r"], states: ["hook:mark new", "tool:weather new"] },
  { keys: ["maybe\r", "\u{4}"], states: ["hook:mark new", "tool:weather new"] },
  { keys: ["\u{3}"], states: ["hook:mark new", "tool:weather new"] },
] as const;

for (const { keys, states } of ANSWERS) {
  test(`on a terminal ${JSON.stringify(keys)} leaves ${states.join(" and ")}`, { skip }, async (t) => {
    const place = createPlace(t);
    putHook(place);
    put(place, ".toolwright/tools/weather", "#!/bin/sh\n");
    const environment = { TERM: "xterm" };
    const { child, finished, shown } = startCli(place, ["trust"], { under: ON_A_TERMINAL, environment });
    for (const [index, key] of keys.entries()) {
      await until("the question", () => shown.stdout.split("[q]uit: ").length > index + 1);
      child.stdin?.write(key);
    }
    assert.equal((await finished).code, 0, shown.stdout);
    assert.deepEqual(await statesOf(place), states);
  });
}
