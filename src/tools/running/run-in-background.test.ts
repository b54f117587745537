import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runScript, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { isRunning } from "../../../test/support/programs/is-running.ts";
import { runningEngine, untilTrue } from "../../../test/support/running.ts";
import { memoryArtifacts } from "../../../test/support/engines/tool-context.ts";
import type { Artifacts } from "../../core/store/artifacts.ts";
import type { JsonObject } from "../../core/json.ts";
import type { RunningOptions } from "./options.ts";

function create(context: TestContext, options: Partial<RunningOptions> & { artifacts?: Artifacts } = {}) {
  const made = runningEngine(context, options);
  const { run } = made;
  const start = (command: string) => run("shell", { command, background: true });
  const view = (input: JsonObject = {}) => run("view_background_processes", input);
  const stop = (id: string, more: JsonObject = {}) => run("stop_background_process", { id, ...more });
  const ended = (id: string) =>
    untilTrue(`${id} has ended`, async () => (await view({ id })).data["state"] === "ended");
  const output = async (id: string, more: JsonObject = {}): Promise<string> => {
    const shown = (await view({ id, ...more })).data["output"];
    return typeof shown === "string" ? shown : "";
  };
  return { ...made, start, view, stop, ended, output };
}

test("a background command returns an id at once, continues, and reports its end", async (context) => {
  const { start, view, ended, root } = create(context);
  const gate = join(root, "gate");
  const started = await start(`echo out; echo err >&2; while [ ! -e ${gate} ]; do sleep 0.01; done; exit 3`);
  assert.equal(started.data["id"], "bg1");
  assert.equal(isRunning(Number(started.data["pid"])), true);
  await untilTrue("it printed", async () => (await view({ id: "bg1" })).data["bytes"] === 8);
  assert.match((await view()).text, /^\[bg1\] pid \d+, running for \d+ s, 8 bytes: echo out/);
  writeFileSync(gate, "");
  await ended("bg1");
  const { data, text } = await view({ id: "bg1" });
  assert.deepEqual([data["exit_code"], data["signal"], data["output"]], [3, null, "out\nerr\n"]);
  assert.match(text, /exit code 3.*\nout\nerr$/s);
});

test("the list is empty if nothing was started, and has every process with its state", async (context) => {
  const { start, view, ended } = create(context);
  assert.equal((await view()).text, "[no background processes]");
  await start("true");
  await start("sleep 60");
  await ended("bg1");
  const { data } = await view();
  const states = (data["processes"] as readonly JsonObject[]).map(({ id, state, command }) => [
    id,
    state,
    command,
  ]);
  assert.deepEqual(states, [
    ["bg1", "ended", "true"],
    ["bg2", "running", "sleep 60"],
  ]);
});

test("tail shows the last lines, lines the first, since_last only new output", async (context) => {
  const { start, view, output, root } = create(context);
  const gate = join(root, "gate");
  await start(`seq 1 100; while [ ! -e ${gate} ]; do sleep 0.01; done; echo new; sleep 60`);
  await untilTrue("it printed", async () => (await view({ id: "bg1" })).data["bytes"] === 292);
  assert.equal(await output("bg1", { lines: 2 }), "99\n100\n");
  assert.equal(await output("bg1", { mode: "lines", lines: 3 }), "1\n2\n3\n");
  assert.match(await output("bg1", { mode: "since_last" }), /^1\n2\n.*\n100\n$/s);
  assert.equal(await output("bg1", { mode: "since_last" }), "");
  writeFileSync(gate, "");
  await untilTrue("it printed more", async () => (await view({ id: "bg1" })).data["bytes"] === 296);
  assert.equal(await output("bg1", { mode: "since_last" }), "new\n");
});

test("long output is limited: its beginning and end are available, the whole as an artifact", async (context) => {
  const artifacts = memoryArtifacts();
  const { start, view, output, ended } = create(context, { artifacts });
  await start("seq 1 50000");
  await ended("bg1");
  const since = await view({ id: "bg1", mode: "since_last" });
  assert.match(since.text, /truncated: \d+ characters before these; read_artifact id=artifact-1/);
  assert(Buffer.byteLength(await output("bg1", { lines: 1000 })) <= 5 * 1024);
  assert.equal(await output("bg1", { mode: "lines", lines: 2 }), "1\n2\n");
  const whole = artifacts.texts.get("artifact-1") ?? "";
  assert.equal(whole.length, since.data["bytes"]);
  assert(whole.startsWith("1\n2\n") && whole.endsWith("\n50000\n"));
});

test("stop ends the whole process tree, and kills what ignores TERM after the grace", async (context) => {
  const { start, view, output, stop } = create(context);
  await start("trap '' TERM; (trap '' TERM; sleep 60; sleep 60) & echo $$ $!; sleep 60; sleep 60");
  await untilTrue("it printed", async () => Number((await view({ id: "bg1" })).data["bytes"]) > 0);
  const pids = (await output("bg1")).trim().split(" ").map(Number);
  assert.equal(pids.filter(isRunning).length, 2);
  const stopped = await stop("bg1", { grace_seconds: 0 });
  assert.deepEqual([stopped.data["state"], stopped.data["signal"]], ["ended", "SIGKILL"]);
  assert.deepEqual(pids.filter(isRunning), []);
  assert.match((await stop("bg1")).text, /it had already ended/);
});

test("one that ends when asked is not killed", async (context) => {
  const { start, view, stop } = create(context);
  // A loop of the shell alone: bash reports a child that the same TERM ends.
  await start("trap 'echo bye; exit 5' TERM; echo up; while :; do :; done");
  await untilTrue("it is up", async () => Number((await view({ id: "bg1" })).data["bytes"]) > 0);
  const stopped = await stop("bg1");
  assert.deepEqual([stopped.data["exit_code"], stopped.data["signal"]], [5, null]);
  assert.match((await view({ id: "bg1" })).text, /\nbye$/);
});

test("an unknown id is an error that lists the known ones", async (context) => {
  const { start, view, stop } = create(context);
  assert.match((await view({ id: "bg9" })).text, /unknown background process "bg9"\nnone was started/);
  await start("true");
  assert.match((await stop("bg9")).text, /known: bg1/);
});

test("a command that cannot be started is no process", async (context) => {
  const { run, view, root } = create(context);
  const failed = await run("shell", { command: "true", cwd: join(root, "missing"), background: true });
  assert.equal(failed.code, "TOOL_FAILED");
  assert.equal((await view()).text, "[no background processes]");
});

test("as many run as may, one more is refused, and one that ended makes room", async (context) => {
  const { start, stop } = create(context, { limits: { processes: 2 } });
  const answers = await Promise.all([start("sleep 60"), start("sleep 60"), start("sleep 60")]);
  assert.deepEqual(answers.map(({ code }) => code).sort(), ["TOOL_FAILED", "ok", "ok"]);
  assert.match(
    answers.map(({ text }) => text).join(),
    /2 background processes are running, which is the limit/,
  );
  await stop("bg1", { grace_seconds: 0 });
  assert.equal((await start("true")).code, "ok");
});

test("the last ended processes are remembered", async (context) => {
  const { start, view, ended } = create(context);
  for (let index = 1; index <= 35; index += 1) {
    await start("true");
    await ended(`bg${index}`);
  }
  const { data } = await view();
  const ids = (data["processes"] as readonly JsonObject[]).map(({ id }) => id);
  assert(ids.length <= 33, String(ids.length));
  assert.equal(ids.at(-1), "bg35");
});

test("one that runs too long is ended", async (context) => {
  const { start, ended, view } = create(context, { limits: { processMs: 50 } });
  await start("sleep 60");
  await ended("bg1");
  assert.equal((await view({ id: "bg1" })).data["signal"], "SIGTERM");
});

test("all end with their session, and no other session sees them", async (context) => {
  const { engine } = create(context);
  const run = (name: string, input: JsonObject, session: string) =>
    engine.run({ id: name, name, input }, { session });
  const started = await run(
    "shell",
    { command: "trap '' HUP; sleep 60 & sleep 60", background: true },
    "one",
  );
  const { pid } = (started.ok ? started.data : {}) as { readonly pid: number };
  const other = await run("view_background_processes", {}, "two");
  assert.match(JSON.stringify(other.content), /no background processes/);
  await engine.session("two").close();
  assert.equal(isRunning(pid), true);
  await engine.session("one").close();
  assert.equal(isRunning(pid), false);
});

test("a process that exits without closing its engine takes its children along, and is not held up by them", async () => {
  const script = `
    const { createEngine } = await import(${JSON.stringify(sourceUrl("src/engine/engine.ts"))});
    const { runningTools } = await import(${JSON.stringify(sourceUrl("src/tools/running/family.ts"))});
    const tools = runningTools({ root: "/", environment: { PATH: process.env.PATH } });
    const engine = createEngine({ mode: "yolo", workspace: ["/"], tools });
    const input = { command: "sleep 60", background: true };
    const result = await engine.run({ id: "1", name: "shell", input });
    console.log(result.data.pid);
  `;
  const { stdout, stderr } = runScript(script);
  const pid = Number(stdout);
  assert(pid > 0, stderr);
  await untilTrue("the child has ended", () => !isRunning(pid));
});
