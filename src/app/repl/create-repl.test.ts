import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openTestRepl, told, withoutScreen, wrap } from "../../../test/support/programs/repl.ts";
import { ToolError } from "../../core/errors.ts";
import { RESERVED_COMMANDS } from "../../sources/extension/extension.ts";
import { createRepl } from "./create-repl.ts";
import type { ReplSession } from "./state/session.ts";

const CTRL_C = "\u{3}";
const YES = { text: "Yes.", repeat: true };

function shell(command: string): Readonly<Record<string, unknown>> {
  return { calls: [{ name: "shell", input: { command } }] };
}

test("a message sent before the session is open is shown as waiting and then answered", async (t) => {
  const repl = openTestRepl(t, [YES]);
  repl.send("hello");
  assert.equal(repl.store.get().agentState, "loading");
  assert.deepEqual(repl.store.get().waiting, ["hello"]);
  const state = await repl.until("the answer", ({ blocks }) =>
    blocks.some(({ kind }) => kind === "markdown"),
  );
  assert.deepEqual(told(state).slice(1), ["prompt: hello", "markdown: Yes."]);
  assert.deepEqual(state.waiting, []);
});

test("two messages sent at once are read in order and answered", async (t) => {
  const repl = openTestRepl(t, [YES]);
  repl.send("first");
  repl.send("second");
  const isDone = ({
    blocks,
    agentState,
  }: {
    blocks: readonly { kind: string }[];
    agentState: string;
  }): boolean => blocks.filter(({ kind }) => kind === "prompt").length === 2 && agentState === "idle";
  const state = await repl.until("both", (one) => isDone(one) && one.waiting.length === 0);
  assert.deepEqual(
    told(state).filter((line) => line.startsWith("prompt")),
    ["prompt: first", "prompt: second"],
  );
});

test("a question takes the keys when typing stops, and its answer runs the call", async (t) => {
  const repl = openTestRepl(t, [shell("touch made.txt"), YES]);
  repl.send("go");
  await repl.until("the question", ({ isArmed }) => isArmed);
  repl.press("y");
  const state = await repl.until("the answer", ({ blocks }) =>
    told({ ...repl.store.get(), blocks }).includes("markdown: Yes."),
  );
  assert.ok(told(state).includes("ok: shell touch made.txt"));
  assert.ok(existsSync(join(repl.folder, "made.txt")));
});

test("a person's no reaches the model in their words", async (t) => {
  const message = "The user declined this call: not today. Nothing was run.";
  const repl = openTestRepl(t, [shell("touch made.txt"), { ...YES, when: message }]);
  repl.send("go");
  await repl.until("the question", ({ isArmed }) => isArmed);
  repl.press("n");
  await repl.until("the reason", ({ approvals: [first] }) => first?.dialog.kind === "reason");
  repl.send("not today.");
  const state = await repl.until("the answer", (one) => told(one).includes("markdown: Yes."));
  // One row has it: that of the call.
  assert.deepEqual(told(state).slice(2, -1), ["failed: shell touch made.txt"]);
  assert.ok(!existsSync(join(repl.folder, "made.txt")));
});

test("a failing model is shown with a hint", async (t) => {
  const repl = openTestRepl(t, [{ error: { code: "MODEL_FAILED", message: "it broke" } }]);
  repl.send("hello");
  const state = await repl.until("the failure", ({ blocks }) => blocks.at(-1)?.kind === "notice");
  assert.match(told(state).at(-1) ?? "", /it broke/);
});

test("a session that cannot be opened rejects, and nothing is left waiting", async (t) => {
  const error = new ToolError("INVALID_INPUT", "no model is set");
  const open = (): Promise<ReplSession> => Promise.reject(error);
  const repl = wrap(t, "", createRepl({ ...withoutScreen(), open, version: "1", folder: "/" }));
  await assert.rejects(repl.left, error);
});

test("leaving while the session loads closes it when it opens", async (t) => {
  const repl = openTestRepl(t, [YES]);
  repl.leave(0);
  assert.equal(await repl.left, 0);
  assert.equal(repl.store.get().agentState, "closing");
});

test("/help lists every reserved command", async (t) => {
  const repl = openTestRepl(t, [YES]);
  const help = await repl.command("/help");
  for (const name of RESERVED_COMMANDS) assert.match(help, new RegExp(`^(?:/\\w+, )?/${name}\\b`, "m"), name);
});

test("/mode changes which calls need approval, from the next call on", async (t) => {
  const repl = openTestRepl(t, [shell("touch made.txt"), YES]);
  assert.match(await repl.command("/mode"), /^\* mode auto +what [^]*^\* level ask +you /m);
  assert.match(await repl.command("/mode plane"), /unknown mode "plane"\n +did you mean plan\?/);
  assert.equal(await repl.command("/mode yolo"), "mode yolo\n");
  assert.equal(repl.store.get().info?.mode, "yolo");
  repl.send("go");
  await repl.until("the answer", (state) => told(state).includes("markdown: Yes."));
  assert.ok(existsSync(join(repl.folder, "made.txt")));
});

test("Shift+Tab turns the mode, but never to yolo", async (t) => {
  const repl = openTestRepl(t, [YES]);
  await repl.until("it is ready", ({ agentState }) => agentState === "idle");
  for (const mode of ["edits", "plan", "auto"]) {
    repl.press("\u{1b}[Z");
    await repl.until(mode, ({ info }) => info?.mode === mode);
  }
});

test("/group activates groups for this session, and lists them", async (t) => {
  const repl = openTestRepl(t, [YES]);
  assert.match(await repl.command("/group"), /^files +on\b/m);
  assert.equal(await repl.command("/group files off"), "files is off\n");
  assert.match(await repl.command("/group"), /^files +off\b/m);
  assert.match(await repl.command("/group fils on"), /there is no group "fils"\n +did you mean files\?/);
  assert.match(await repl.command("/group files"), /expected on or off/);
});

test("/trace and /approve read the open store", async (t) => {
  const repl = openTestRepl(t, [shell("echo hello"), YES], { mode: "yolo" });
  repl.send("go");
  const state = await repl.until("the answer", (one) => told(one).includes("markdown: Yes."));
  const call = state.blocks.find((block) => block.kind === "call");
  assert.match(await repl.command("/trace"), /shell +.* ok /);
  const page = await repl.command(`/trace ${call?.kind === "call" ? call.result.callId : ""}`);
  assert.match(page, /answer:\nhello/);
  assert.equal(await repl.command("/approve"), "no calls wait for approval\n");
  assert.equal(await repl.command("/approve --grants"), "no grants\n");
  assert.match(await repl.command("/approve --grant"), /unknown flag --grant\n +did you mean --grants/);
  assert.equal(await repl.command("/restore"), "no checkpoints of this workspace\n");
  assert.equal(await repl.command("/skill"), "there are no skills\n");
});

test("/new starts another conversation, /sessions lists both, /resume goes back", async (t) => {
  const repl = openTestRepl(t, [{ text: "One." }, YES]);
  repl.send("hello");
  await repl.until("the answer", (state) => told(state).includes("markdown: One."));
  const first = repl.store.get().info?.id ?? "";
  assert.match(await repl.command("/new"), new RegExp(`/resume ${first}`));
  await repl.until("another session", ({ info }) => info?.id !== first);
  repl.send("again");
  await repl.until("the answer", (state) => told(state).includes("markdown: Yes."));
  assert.match(await repl.command("/sessions"), /again[^]*hello/);
  repl.send(`/resume ${first}`);
  const state = await repl.until("the first session", ({ info }) => info?.id === first);
  assert.deepEqual(told(state).filter((line) => line === "markdown: One.").length, 2);
  assert.match(await repl.command("/resume nope"), /unknown conversation "nope"/);
});

test("/export writes Markdown or JSON, and never overwrites a file", async (t) => {
  const repl = openTestRepl(t, [YES]);
  repl.send("hello");
  await repl.until("the answer", (state) => told(state).includes("markdown: Yes."));
  assert.match(await repl.command("/export talk.md"), /written to .*talk\.md/);
  assert.match(readFileSync(join(repl.folder, "talk.md"), "utf8"), /hello[^]*Yes\./);
  assert.match(await repl.command("/export talk.md"), /cannot write [^]*not overwritten/);
  await repl.command("/export talk.json");
  assert.ok(JSON.parse(readFileSync(join(repl.folder, "talk.json"), "utf8")));
  for (const [name, written] of [
    ['"my talk.md"', "my talk.md"],
    ["it's a talk.md", "it's a talk.md"],
  ] as const) {
    await repl.command(`/export ${name}`);
    assert.ok(existsSync(join(repl.folder, written)), written);
  }
});

test("an unknown model changes nothing", async (t) => {
  const repl = openTestRepl(t, [YES]);
  assert.match(await repl.command("/model nobody/nothing"), /nobody/);
  assert.match(repl.store.get().info?.model ?? "", /^scripted/);
  assert.ok(!existsSync(join(repl.folder, ".toolwright")));
});

test("/todos, /agents and /compact report that there is nothing", async (t) => {
  const repl = openTestRepl(t, [YES]);
  assert.equal(await repl.command("/todos"), "no todos\n");
  assert.equal(await repl.command("/agents"), "this agent works alone\n");
  assert.equal(await repl.command("/compact"), "nothing to compact\n");
});

test("todos are shown as soon as the agent writes them", async (t) => {
  const todos = [{ content: "first", status: "in_progress" }];
  const repl = openTestRepl(t, [{ calls: [{ name: "todo_write", input: { todos } }] }, YES]);
  repl.send("go");
  const state = await repl.until("the list", (one) => one.todos.length > 0);
  assert.partialDeepStrictEqual(state.todos, todos);
  assert.equal(await repl.command("/todos"), "[>] first\n");
});

test("/exit leaves and prints nothing", async (t) => {
  const repl = openTestRepl(t, [YES]);
  repl.send("/exit");
  assert.equal(await repl.left, 0);
  const { blocks } = await repl.until("the end of the command", ({ command }) => command === undefined);
  assert.deepEqual(
    blocks.map(({ kind }) => kind),
    ["banner"],
  );
});

test("Ctrl-C cancels a slow answer, and a second one soon leaves", async (t) => {
  const repl = openTestRepl(t, [{ text: "Late.", delayMs: 60_000 }]);
  repl.send("hello");
  await repl.until("it thinks", ({ agentState }) => agentState === "waiting_for_model");
  repl.press(CTRL_C);
  const state = await repl.until("it stops", ({ blocks }) => blocks.at(-1)?.kind === "notice");
  assert.equal(told(state).at(-1), "notice: cancelled");
  repl.press(CTRL_C);
  assert.equal(await repl.left, 0);
});

test("a second Ctrl-C after another key is a first one again", async (t) => {
  const repl = openTestRepl(t, [YES]);
  await repl.until("it is ready", ({ agentState }) => agentState === "idle");
  repl.press(CTRL_C);
  assert.equal(repl.store.get().hint, "Ctrl-C again leaves");
  repl.press("x");
  repl.press(CTRL_C);
  assert.deepEqual([repl.prompt.getText(), repl.store.get().agentState], ["", "idle"]);
});

test("a message sent before the turn was cancelled stays in the conversation", async (t) => {
  const repl = openTestRepl(t, [{ text: "Late.", delayMs: 60_000 }]);
  repl.send("first");
  await repl.until("it thinks", ({ agentState }) => agentState === "waiting_for_model");
  repl.send("second");
  assert.deepEqual(repl.store.get().waiting, ["second"]);
  repl.press(CTRL_C);
  const state = await repl.until("it stops", ({ blocks }) => blocks.at(-1)?.kind === "notice");
  assert.deepEqual(told(state).slice(1), ["prompt: first", "prompt: second", "notice: cancelled"]);
  assert.deepEqual(state.waiting, []);
});
