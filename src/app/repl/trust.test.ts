import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openTestRepl, told, type TestRepl } from "../../../test/support/programs/repl.ts";

const YES = { text: "Yes.", repeat: true };

async function ready(repl: TestRepl): Promise<readonly string[]> {
  return told(await repl.until("it has loaded", ({ agentState }) => agentState === "idle"));
}

async function says(repl: TestRepl, message: string): Promise<void> {
  repl.send(message);
  await repl.until(message, (state) => told(state).includes("markdown: Yes.") && state.agentState === "done");
}

/** A tool and instructions that the folder has got since the start. */
function fill({ folder }: TestRepl): void {
  writeFileSync(join(folder, "AGENTS.md"), "Use tabs.\u{1b}[31m\n");
  mkdirSync(join(folder, ".toolwright/tools"), { recursive: true });
  writeFileSync(join(folder, ".toolwright/tools/weather"), "#!/bin/sh\n");
}

test("/trust lists what is off with its text, and what it trusts holds for the next message", async (t) => {
  const repl = openTestRepl(t, [YES]);
  await ready(repl);
  assert.equal(await repl.command("/trust"), "nothing in this folder is off\n");
  fill(repl);
  const list = await repl.command("/trust");
  assert.match(list, /^new +instructions:AGENTS\.md +1 line for the agent$/m);
  assert.match(list, /^new +tool:weather /m);
  assert.match(list, /^instructions:AGENTS\.md:\n {2}Use tabs\.\S+\[31m$/m);
  assert.doesNotMatch(list, /\u{1b}/u);
  assert.match(await repl.command("/memory"), /no AGENTS\.md/);
  assert.equal(await repl.command("/trust AGENTS.md"), "trusted: instructions:AGENTS.md\n");
  assert.match(await repl.command("/memory"), /^AGENTS\.md +1 line +of this folder, trusted$/m);
  await says(repl, "go");
  await repl.command("/export talk.json");
  const talk = readFileSync(join(repl.folder, "talk.json"), "utf8");
  assert.match(talk, /Use tabs\.[^]*"go"/, "the model has them before the message");
});

test("/trust --all trusts the rest, and says what is in use only from the next start", async (t) => {
  const repl = openTestRepl(t, [YES]);
  await ready(repl);
  fill(repl);
  const all = await repl.command("/trust --all");
  assert.match(all, /^trusted: tool:weather; in use from the next start: toolwright chat --continue$/m);
  assert.match(all, /^trusted: instructions:AGENTS\.md$/m);
  assert.equal(await repl.command("/trust"), "nothing in this folder is off\n");
  writeFileSync(join(repl.folder, "AGENTS.md"), "Use spaces.\n");
  const changed = await repl.command("/trust");
  assert.match(changed, /changed since you trusted it:\n[^]*^-Use tabs[^]*^\+Use spaces/m);
  assert.doesNotMatch(changed, /No newline/, "its last line has one");
});

test("/trust refuses an unknown name, and names what is off", async (t) => {
  const repl = openTestRepl(t, [YES]);
  await ready(repl);
  fill(repl);
  assert.match(await repl.command("/trust AGENTS"), /^unknown item "AGENTS"\n.*instructions:AGENTS\.md/);
  assert.match(await repl.command("/memory"), /no AGENTS\.md/);
});

const asks = (repl: TestRepl) =>
  repl.until("a question", (state) => state.approvals.length === 1 && state.isArmed);

test("the first start asks about AGENTS.md with its text; yes puts it into the prompt", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "AGENTS.md"), "Use tabs.\u{1b}[31m\n");
  const repl = openTestRepl(t, [YES], {}, {}, folder);
  const [pending] = (await asks(repl)).approvals;
  assert.equal(pending?.question.heading, "Use AGENTS.md of this folder as instructions for the agent?");
  assert.match(pending.question.reason, /^Use tabs\.[^\u{1b}]*$/u);
  repl.press("y");
  assert.ok(!(await ready(repl)).some((line) => line.includes("not used")));
  await says(repl, "go");
  assert.match(await repl.command("/context"), /^ +AGENTS\.md +\d+ tokens/m);
  assert.match(await repl.command("/memory"), /^AGENTS\.md +1 line +of this folder, trusted$/m);
});

test("no is asked once per content, and a changed AGENTS.md asks again", async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, "AGENTS.md");
  writeFileSync(file, "Use tabs.\n");
  const first = openTestRepl(t, [YES], {}, {}, folder);
  await asks(first);
  first.press("n");
  assert.ok((await ready(first)).includes("notice: AGENTS.md is not used until you trust it: /trust"));
  first.leave(0);
  await first.left;
  const second = openTestRepl(t, [YES], {}, {}, folder);
  assert.ok((await ready(second)).includes("notice: AGENTS.md is not used until you trust it: /trust"));
  second.leave(0);
  await second.left;
  writeFileSync(file, "Use spaces.\n");
  await asks(openTestRepl(t, [YES], {}, {}, folder));
});
