import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestRepl, told, type TestRepl } from "../../../test/support/programs/repl.ts";

const YES = { text: "Yes.", repeat: true };
const SLOW = { text: "Late.", delayMs: 60_000 };
const [ESC, UP] = ["\u{1b}", "\u{1b}[A"];

async function thinking(repl: TestRepl): Promise<void> {
  await repl.until("it thinks", ({ agentState }) => agentState === "waiting_for_model");
}

/** Resolves when the agent has the messages: a command runs after them. */
async function sent(repl: TestRepl): Promise<void> {
  await repl.command("/mode");
}

async function answered(repl: TestRepl, count = 1): Promise<void> {
  await repl.until(
    "the answer",
    (state) =>
      told(state).filter((line) => line === "markdown: Yes.").length >= count &&
      ["idle", "done"].includes(state.agentState),
  );
}

test("Esc returns messages that wait to the prompt, before what is typed there, and sends none of them", async (t) => {
  const repl = openTestRepl(t, [SLOW]);
  repl.send("first");
  await thinking(repl);
  repl.send("second");
  repl.send("third");
  await sent(repl);
  repl.press("draft");
  repl.press(ESC);
  const state = await repl.until("it stops", ({ blocks }) => blocks.at(-1)?.kind === "notice");
  assert.deepEqual(
    told(state).filter((line) => /^(?:prompt|notice)/.test(line)),
    ["prompt: first", "notice: cancelled"],
  );
  assert.deepEqual([repl.prompt.getText(), state.waiting], ["second\nthird\ndraft", []]);
});

test("Up takes the last message that waits back into the empty prompt, and only that one", async (t) => {
  const repl = openTestRepl(t, [SLOW]);
  repl.send("first");
  await thinking(repl);
  repl.send("second");
  repl.send("third");
  await sent(repl);
  repl.press(UP);
  assert.deepEqual([repl.prompt.getText(), repl.store.get().waiting], ["third", ["second"]]);
});

test("/resume without an id opens a menu of titles, without sub-agents, and the id continues one", async (t) => {
  const repl = openTestRepl(t, [YES]);
  repl.send("about blue things");
  await answered(repl);
  const { id = "" } = repl.store.get().info ?? {};
  assert.equal(await repl.command("/resume"), "no other conversation is stored\n");
  await repl.command("/new");
  repl.send("/resume");
  await repl.until("the menu", () => repl.prompt.getText().startsWith("/resume "));
  repl.press("\u{15}");
  repl.send(`/resume ${id}`);
  await repl.until("the first one", ({ info }) => info?.id === id);
});

test("/retry sends the last message again, without its first answer", async (t) => {
  const repl = openTestRepl(t, [{ text: "No." }, YES]);
  repl.send("go");
  await repl.until("the first", (state) => told(state).includes("markdown: No."));
  repl.send("/retry");
  await answered(repl);
  assert.equal(repl.store.get().spent?.turns, 1);
});

test("/rewind lists the messages, and a number returns to before it with its text in the prompt", async (t) => {
  const repl = openTestRepl(t, [YES]);
  for (const [index, text] of ["one", "two", "three"].entries()) {
    repl.send(text);
    await answered(repl, index + 1);
  }
  assert.match(await repl.command("/rewind 9"), /there is no message "9"\n {2}\/rewind lists them/);
  const shown = await repl.command("/rewind 2");
  assert.match(shown, /back before message 2/);
  assert.equal(repl.prompt.getText(), "two");
});

test("/fork continues in a copy, and the other conversation stays", async (t) => {
  const repl = openTestRepl(t, [YES]);
  repl.send("go");
  await answered(repl);
  const { id } = repl.store.get().info ?? {};
  assert.match(await repl.command("/fork"), new RegExp(`/resume ${id} returns`));
  assert.notEqual(repl.store.get().info?.id, id);
});

test("/ps lists, shows and stops background processes", async (t) => {
  const input = { command: "echo ready; sleep 600", background: true };
  const repl = openTestRepl(t, [{ calls: [{ name: "shell", input }] }, YES], { mode: "yolo" });
  assert.equal(await repl.command("/ps"), "no background processes\n");
  repl.send("go");
  await answered(repl);
  const [, id = ""] = /^(\w+) +running/.exec(await repl.command("/ps")) ?? [];
  assert.match(await repl.command(`/ps ${id}`), /ready|no output yet/);
  assert.equal(await repl.command(`/ps stop ${id}`), `stopped ${id}\n`);
  assert.match(await repl.command("/ps"), /ended/);
  assert.match(await repl.command("/ps bg77"), /unknown process "bg77"/);
});

test("/plan, /memory and commands of other agents say what to do", async (t) => {
  const repl = openTestRepl(t, [YES]);
  assert.match(await repl.command("/plan"), /^mode plan/);
  assert.equal(repl.store.get().info?.mode, "plan");
  assert.match(await repl.command("/memory"), /\/init writes one/);
  assert.match(await repl.command("/editor"), /there is no command \/editor\n {2}.*Ctrl-G/);
  assert.match(await repl.command("/hlep"), /did you mean \/help\?/);
  assert.match(await repl.command("/copy"), /there is no answer yet/);
});
