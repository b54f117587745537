import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { call, codeOf, textOf } from "../../../../test/support/engines/engine.ts";
import { isRunning } from "../../../../test/support/programs/is-running.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import type { ToolResult } from "../../../core/result.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { createEngine } from "../../../engine/engine.ts";
import { builtInTools } from "../../../tools/built-in.ts";
import { createConfiguredHooks } from "./engine-hooks.ts";
import { parseSetting } from "../../config/layers.ts";
import { openPromptQueue, type PromptQueue } from "../../../agent/hooks/prompt-queue.ts";

interface Place {
  readonly folder: string;
  readonly engine: Engine;
  readonly prompts: PromptQueue;
  /** Writes a file and gives the answer. */
  readonly write: (path: string, content?: string) => Promise<ToolResult>;
}

const environment = { PATH: process.env["PATH"] ?? "" };

function openPlace(t: TestContext, definitions: readonly object[], variables = {}): Place {
  const folder = temporaryFolder(t);
  const prompts = openPromptQueue(createMemoryCollections());
  const options = {
    environment: { ...environment, ...variables },
    workspace: [folder],
    home: folder,
    prompts,
  } as const;
  const engine = createEngine({
    mode: "yolo",
    workspace: [folder],
    tools: builtInTools({ root: folder, environment }),
    hooks: createConfiguredHooks(parseSetting("hooks", definitions), options),
  });
  t.after(() => engine.close());
  const write = (path: string, content = "x") =>
    engine.run(call("write_file", { path, content }), { session: "s" });
  return { folder, engine, prompts, write };
}

/** A hook before a call that runs a script of sh. */
function script(text: string, more: object = {}): object {
  return {
    name: "script",
    on: "before_tool",
    action: { type: "command", program: ["sh", "-c", text] },
    ...more,
  };
}

/** A script that prints a decision. */
function prints(decision: unknown): string {
  return `cat > /dev/null; printf '%s' '${JSON.stringify(decision)}'`;
}

test("a program reads the whole moment on its standard input, and runs in the workspace", async (t) => {
  const { folder, write } = openPlace(t, [script("cat > seen.json; pwd > where")]);
  assert.equal(codeOf(await write("a.txt")), "ok");
  assert.equal(readFileSync(join(folder, "where"), "utf8"), `${folder}\n`);
  const seen = JSON.parse(readFileSync(join(folder, "seen.json"), "utf8"));
  assert.equal(seen.point, "before_tool");
  assert.equal(seen.session, "s");
  assert.equal(seen.workspace, folder);
  assert.equal(seen.risk, "medium");
  assert.equal(seen.call.name, "write_file");
  assert.deepEqual(seen.call.input, { path: "a.txt", content: "x", create_only: false });
  assert.equal(seen.facts[0].path, join(folder, "a.txt"));
});

for (const passing of ["", "{}", '{"decision":"pass"}', '{"decision":"allow"}', ' {"reason":"fine"}\n']) {
  test(`a program that prints ${JSON.stringify(passing)} lets the call pass`, async (t) => {
    const { folder, write } = openPlace(t, [script(`cat >/dev/null; printf '%s' '${passing}'`)]);
    assert.equal(codeOf(await write("a.txt")), "ok");
    assert.ok(existsSync(join(folder, "a.txt")));
  });
}

test("a program that refuses keeps the file from being written, with its reason", async (t) => {
  const { folder, write } = openPlace(t, [script(prints({ decision: "refuse", reason: "frozen" }))]);
  const result = await write("a.txt");
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /hook "script" refused it: frozen/);
  assert.ok(!existsSync(join(folder, "a.txt")));
});

test("a program that asks has nobody write the file where nobody can be asked", async (t) => {
  const { folder, write } = openPlace(t, [script(prints({ decision: "ask", reason: "look" }))]);
  assert.equal(codeOf(await write("a.txt")), "DENIED");
  assert.ok(!existsSync(join(folder, "a.txt")));
});

test("a program's other input is what is written", async (t) => {
  const { folder, write } = openPlace(t, [script(prints({ input: { path: "b.txt", content: "replaced" } }))]);
  assert.equal(codeOf(await write("a.txt")), "ok");
  assert.equal(readFileSync(join(folder, "b.txt"), "utf8"), "replaced");
  assert.ok(!existsSync(join(folder, "a.txt")));
});

test("a program that rewrites to a path outside the workspace gets the call denied", async (t) => {
  const outside = join(temporaryFolder(t), "stolen");
  const { write } = openPlace(t, [script(prints({ input: { path: outside, content: "x" } }))]);
  assert.equal(codeOf(await write("a.txt")), "DENIED");
  assert.ok(!existsSync(outside));
});

const FAILING: readonly (readonly [string, string, RegExp])[] = [
  ["exits with 1", "echo why >&2; exit 1", /it exited with 1: why/],
  ["exits with 127", "exit 127", /it exited with 127/],
  ["dies of a signal", "kill -9 $$", /it was ended by SIGKILL/],
  ["prints no JSON", "echo sure, go ahead", /something else than one JSON object: sure, go ahead/],
  ["prints JSON twice", `echo '{}{}'`, /something else than one JSON object/],
  ["prints a list", `echo '[]'`, /its answer is \[\], expected an object/],
  ["prints an unknown decision", `echo '{"decision":"deny"}'`, /its decision is "deny"/],
  ["misspells a key", `echo '{"desicion":"refuse"}'`, /did it mean decision/],
  ["prints a reason that is no text", `echo '{"decision":"refuse","reason":7}'`, /its reason is 7/],
  ["prints an input that is no object", `echo '{"input":"x"}'`, /its input is "x"/],
  ["prints an input and asks", `echo '{"decision":"ask","input":{}}'`, /an input and ask at once/],
  ["prints without end", "yes 0123456789", /it printed more than 1 MB/],
];

for (const [what, text, message] of FAILING) {
  test(`a program that ${what} refuses the call, or passes where its onFailure says so`, async (t) => {
    const refusing = openPlace(t, [script(text)]);
    const result = await refusing.write("a.txt");
    assert.equal(codeOf(result), "DENIED");
    assert.match(textOf(result), message);
    assert.ok(!existsSync(join(refusing.folder, "a.txt")));
    const passing = openPlace(t, [script(text, { onFailure: "pass" })]);
    assert.equal(codeOf(await passing.write("a.txt")), "ok");
  });
}

test("a program that cannot be started refuses the call", async (t) => {
  const { write } = openPlace(t, [
    script("", { action: { type: "command", program: ["/no/such/program"] } }),
  ]);
  const result = await write("a.txt");
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /no such program/);
});

test("a program that passes its time is ended with all it started, and refuses the call", async (t) => {
  const text = "trap '' TERM; sleep 60 & echo $! > pid; wait; sleep 60";
  const { folder, engine, write } = openPlace(t, [script(text, { timeoutSeconds: 0.5 })]);
  const result = await write("a.txt");
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /did not answer within 0\.5 s/);
  await engine.close();
  assert.equal(isRunning(Number(readFileSync(join(folder, "pid"), "utf8"))), false);
});

test("what a program leaves behind ends with it", async (t) => {
  const text = "(setsid sleep 60 & echo $! > pid); nohup sleep 60 & echo $! > pid2";
  const { folder, write } = openPlace(t, [script(text)]);
  assert.equal(codeOf(await write("a.txt")), "ok");
  for (const name of ["pid", "pid2"])
    assert.equal(isRunning(Number(readFileSync(join(folder, name), "utf8"))), false);
});

test("a program that reads nothing of a large moment hurts nobody", async (t) => {
  const { write } = openPlace(t, [script("exit 0")]);
  assert.equal(codeOf(await write("a.txt", "x".repeat(2_000_000))), "ok");
});

test("a program sees only the environment that it is given", async (t) => {
  process.env["TOOLWRIGHT_TEST_SECRET"] = "hidden";
  t.after(() => delete process.env["TOOLWRIGHT_TEST_SECRET"]);
  const { folder, write } = openPlace(t, [script("cat >/dev/null; env > env.txt")], { SHOWN: "1" });
  await write("a.txt");
  const seen = readFileSync(join(folder, "env.txt"), "utf8");
  assert.match(seen, /^SHOWN=1$/m);
  assert.doesNotMatch(seen, /hidden/);
});

test("the words of a program are arguments and never a shell's", async (t) => {
  const program = ["sh", "-c", 'printf %s "$1" > seen', "sh", "$(touch canary); `id`"];
  const { folder, write } = openPlace(t, [script("", { action: { type: "command", program } })]);
  await write("a.txt");
  assert.equal(readFileSync(join(folder, "seen"), "utf8"), "$(touch canary); `id`");
  assert.ok(!existsSync(join(folder, "canary")));
});

test("a program at home is found there", async (t) => {
  const definition = script("", { action: { type: "command", program: ["sh", "~/hook.sh"] } });
  const { folder, write } = openPlace(t, [definition]);
  writeFileSync(join(folder, "hook.sh"), "touch ran");
  assert.equal(codeOf(await write("a.txt")), "ok");
  assert.ok(existsSync(join(folder, "ran")));
});

test("a note of a program after a call is read by the model", async (t) => {
  const { write } = openPlace(t, [script(prints({ note: "2 warnings" }), { on: "after_tool" })]);
  assert.match(textOf(await write("a.txt")), /\[hook script\] 2 warnings/);
});

test("a hook is asked only about the tools, paths and risks that it names", async (t) => {
  const match = { tool: "write_*", path: "*.lock", risk: ["medium", "high"] };
  const block = { name: "locks", on: "before_tool", match, action: { type: "block", reason: "locked" } };
  const { write, engine, folder } = openPlace(t, [block]);
  assert.equal(codeOf(await write("a.txt")), "ok");
  const result = await write("deep/a.lock");
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /hook "locks" refused it: locked/);
  writeFileSync(join(folder, "a.lock"), "x");
  assert.equal(codeOf(await engine.run(call("read_file", { path: "a.lock" }))), "ok");
});

test("a changed file has a prompt wait for the agent, once until it is taken", async (t) => {
  const action = { type: "askAgent", prompt: "Review {{file.path}}" };
  const { engine, folder, prompts, write } = openPlace(t, [{ name: "review", on: "file_changed", action }]);
  await write("a.txt", "1");
  await write("a.txt", "2");
  await write("b.txt", "3");
  await engine.close();
  const waiting = await prompts.take("s");
  assert.deepEqual(waiting.map(({ hook, text }) => `${hook}: ${text}`).toSorted(), [
    `review: Review ${folder}/a.txt`,
    `review: Review ${folder}/b.txt`,
  ]);
});

test("a hook that is not what was trusted any more fails instead of acting", async (t) => {
  const folder = temporaryFolder(t);
  let isTrusted = true;
  const definitions = parseSetting("hooks", [script("touch ran")]);
  const prompts = openPromptQueue(createMemoryCollections());
  const [hook] = createConfiguredHooks(definitions, {
    environment,
    workspace: [folder],
    home: folder,
    prompts,
    isTrusted: () => isTrusted,
  });
  isTrusted = false;
  const { signal } = new AbortController();
  assert.throws(() => hook?.run({ point: "before_tool" }, signal), /changed since it was trusted/);
  assert.ok(!existsSync(join(folder, "ran")));
});
