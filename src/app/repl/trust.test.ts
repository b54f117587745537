import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openTestRepl, told, type TestRepl } from "../../../test/support/programs/repl.ts";

const YES = { text: "Yes.", repeat: true };
/** The model answers with this only if the text is in its request. */
const seen = (text: string) => ({ ...YES, when: text });

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
  const repl = openTestRepl(t, [seen("Use tabs.")]);
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
  assert.match(
    await repl.command("/trust"),
    /changed since you trusted it:\n[^]*^-Use tabs[^]*^\+Use spaces/m,
  );
});

test("/trust refuses an unknown name, and names what is off", async (t) => {
  const repl = openTestRepl(t, [YES]);
  await ready(repl);
  fill(repl);
  assert.match(await repl.command("/trust AGENTS"), /^unknown item "AGENTS"\n.*instructions:AGENTS\.md/);
  assert.match(await repl.command("/memory"), /no AGENTS\.md/);
});
