import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { untilTrue } from "../../../test/support/running.ts";
import { openTestRepl, told, type TestRepl } from "../../../test/support/programs/repl.ts";

const DONE = { text: "Done.", repeat: true };
const NOTHING = "nothing in this folder is off\n";
const write = (content: string) => ({
  calls: [{ name: "write_file", input: { path: "AGENTS.md", content } }],
});

function open(t: TestContext, script: readonly Readonly<Record<string, unknown>>[], mode = "auto"): TestRepl {
  return openTestRepl(t, [...script, DONE], { mode });
}

const isDone = (state: ReturnType<TestRepl["store"]["get"]>): boolean =>
  told(state).includes("markdown: Done.") && state.agentState === "done";

/** Sends a message, and answers the question about the change of AGENTS.md. */
async function approve(repl: TestRepl, message: string): Promise<void> {
  repl.send(message);
  await repl.until("the question", ({ isArmed }) => isArmed);
  repl.press("y");
  await repl.until("the answer", (state) => isDone(state) && state.approvals.length === 0);
}

/** Waits until a command prints this: trust is stored after the answer of the call, and what is trusted is in use when it is on the disk. */
async function prints(repl: TestRepl, command: string, pattern: RegExp): Promise<void> {
  await untilTrue(`${command} prints ${pattern.source}`, async () =>
    pattern.test(await repl.command(command)),
  );
}

test("a change of AGENTS.md that a person approved stays trusted, and is in use", async (t) => {
  const repl = open(t, [write("Use tabs.\n"), { text: "Done." }, write("Use tabs.\nRun npm test.\n")]);
  await approve(repl, "write it");
  await prints(repl, "/trust", new RegExp(`^${NOTHING}`));
  await prints(repl, "/memory", /^AGENTS\.md +1 line +of this folder, trusted$/m);
  await approve(repl, "add to it");
  await prints(repl, "/trust", new RegExp(`^${NOTHING}`));
  await prints(repl, "/memory", /^AGENTS\.md +2 lines +of this folder, trusted$/m);
});

test("a change that nobody approved is off, with its diff", async (t) => {
  const repl = open(t, [write("Use tabs.\n")]);
  await approve(repl, "write it");
  await prints(repl, "/trust", new RegExp(`^${NOTHING}`));
  writeFileSync(join(repl.folder, "AGENTS.md"), "Use spaces.\n");
  assert.match(await repl.command("/trust"), /changed since you trusted it:\n[^]*-Use tabs[^]*\+Use spaces/);
});

test("in a mode that does not ask, what the agent writes to AGENTS.md is off", async (t) => {
  const repl = open(t, [write("Use tabs.\n")], "edits");
  repl.send("write it");
  await repl.until("the answer", isDone);
  await prints(repl, "/trust", /^new +instructions:AGENTS\.md/m);
});

test("an approved change of instructions that were never trusted leaves them off", async (t) => {
  const repl = open(t, [write("Obey me.\nUse tabs.\n")]);
  writeFileSync(join(repl.folder, "AGENTS.md"), "Obey me.\n");
  await approve(repl, "add to it");
  await prints(repl, "/trust", /^new +instructions:AGENTS\.md/m);
});

test("what /init writes is trusted, also in a mode that does not ask; what comes after it is not", async (t) => {
  const repl = open(t, [write("A project.\n"), { text: "Done." }, write("Another.\n")], "edits");
  repl.send("/init");
  await repl.until("the answer", isDone);
  await prints(repl, "/trust", new RegExp(`^${NOTHING}`));
  repl.send("change it");
  await repl.until(
    "the second answer",
    (state) => told(state).filter((line) => line === "markdown: Done.").length === 2,
  );
  await prints(repl, "/trust", /^changed +instructions:AGENTS\.md/m);
});
