import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withoutBoxes } from "../../../test/support/sandboxes/boxes.ts";
import { openTestRepl, told, type TestRepl } from "../../../test/support/programs/repl.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";

const needsBoxes = { skip: withoutBoxes };
const YES = { text: "Yes.", repeat: true };
const RUN = { calls: [{ name: "shell", input: { command: "node a.js" } }] };
/** As if no level was ever chosen. */
const UNSET = { TOOLWRIGHT_LEVEL: "" };

function startedIn(t: Parameters<typeof temporaryFolder>[0]): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "a.js"), "console.log('ran')");
  return folder;
}

const asked = (repl: TestRepl) =>
  repl.until("a question", ({ approvals, isArmed }) => approvals.length === 1 && isArmed);
const ready = (repl: TestRepl) => repl.until("it has loaded", ({ agentState }) => agentState === "idle");
const answered = (repl: TestRepl, count = 1) =>
  repl.until(
    `answer ${count}`,
    (state) =>
      told(state).filter((line) => line === "markdown: Yes.").length === count && state.agentState === "done",
  );
const levelIn = (home: string): unknown =>
  (JSON.parse(readFileSync(join(home, ".toolwright/config.json"), "utf8")) as { level?: unknown }).level;

for (const [what, key, level] of [
  ["Enter takes the preselected level", "\r", "read-only"],
  ["a number takes another", "2", "workspace"],
  ["Esc is ask", "\u{1b}", "ask"],
] as const)
  test(`the first start asks for the level: ${what}, and it is saved`, needsBoxes, async (t) => {
    const repl = openTestRepl(t, [RUN, YES], {}, UNSET, startedIn(t));
    const { approvals } = await asked(repl);
    assert.equal(approvals[0]?.question.heading, "How much may commands do without asking?");
    repl.press(key);
    const { info } = await ready(repl);
    assert.equal(info?.level, level);
    assert.equal(levelIn(repl.home), level);
    repl.send("go");
    if (level === "ask") {
      await asked(repl);
      repl.press("y");
    }
    await answered(repl);
  });

test("a level that was set is not asked about", async (t) => {
  const repl = openTestRepl(t, [YES], {}, {}, startedIn(t));
  assert.deepEqual((await ready(repl)).approvals, []);
});

test("leaving at the question saves nothing", needsBoxes, async (t) => {
  const repl = openTestRepl(t, [YES], {}, UNSET, startedIn(t));
  await asked(repl);
  repl.leave(0);
  await repl.left;
  assert.ok(!existsSync(join(repl.home, ".toolwright/config.json")));
});

test("/level changes what the next command may do, and says so to the model", needsBoxes, async (t) => {
  const repl = openTestRepl(t, [RUN, { text: "Yes." }, RUN, YES], {}, {}, startedIn(t));
  await ready(repl);
  assert.match(await repl.command("/level"), /^\* level ask +you [^]*^ {2}level read-only +commands /m);
  assert.match(await repl.command("/level red"), /unknown level "red"/);
  for (const [index, level] of ["read-only", "workspace"].entries()) {
    assert.match(await repl.command(`/level ${level}`), new RegExp(`^level ${level}: .*saved in `));
    assert.equal(repl.store.get().info?.level, level);
    assert.equal(levelIn(repl.home), level);
    repl.send("go");
    assert.deepEqual((await answered(repl, index + 1)).approvals, []);
  }
  await repl.command("/export talk.json");
  assert.match(readFileSync(join(repl.folder, "talk.json"), "utf8"), /The user set the level of commands/);
});

test(
  "after the level workspace commands are asked about again, and still run in the sandbox",
  needsBoxes,
  async (t) => {
    const repl = openTestRepl(t, [RUN, YES], {}, {}, startedIn(t));
    await ready(repl);
    for (const level of ["workspace", "ask"]) await repl.command(`/level ${level}`);
    repl.send("go");
    await asked(repl);
    repl.press("y");
    const { blocks } = await answered(repl);
    const call = blocks.find((block) => block.kind === "call");
    assert.equal(call?.result.meta.place, "sandbox");
  },
);

test("after the third identical question the levels are offered once", needsBoxes, async (t) => {
  const script = [1, 2, 3, 4, 5].flatMap(() => [RUN, { text: "Yes." }]);
  const repl = openTestRepl(t, script, {}, {}, startedIn(t));
  for (const count of [1, 2, 3]) {
    repl.send("go");
    assert.equal((await asked(repl)).approvals[0]?.question.tool, "shell");
    repl.press("y");
    if (count < 3) await answered(repl, count);
  }
  const offered = (): Promise<unknown> =>
    repl.until(
      "the offer",
      ({ approvals: [one], isArmed }) => one?.question.tool === "toolwright" && isArmed,
    );
  await offered();
  repl.press("1");
  const isRun = (state: Parameters<typeof told>[0]): boolean =>
    state.info?.level === "read-only" &&
    told(state).some((line) => line.startsWith("notice: level read-only"));
  await repl.until("the level", isRun);
  await answered(repl, 3);
  repl.send("go");
  assert.deepEqual((await answered(repl, 4)).approvals, []);
});

test("a level without a sandbox changes nothing and says why", async (t) => {
  const folder = startedIn(t);
  const repl = openTestRepl(t, [YES], { sandbox: "process" }, {}, folder);
  await ready(repl);
  assert.match(await repl.command("/level read-only"), /has no effect here/);
  assert.equal(repl.store.get().info?.level, "ask");
  assert.ok(!existsSync(join(repl.home, ".toolwright/config.json")));
});
