// A tool can ask a question while it runs.
import assert from "node:assert/strict";
import { ToolError, createEngine, defineTool, type Approver } from "toolwright";

const deleted: string[] = [];
const cleanUp = defineTool({
  name: "clean_up",
  description: "Deletes old files, after asking.",
  risk: "low",
  async run(_input, { ask }) {
    const old = ["a.log", "b.log"];
    const answer = await ask({ text: `Delete ${old.length} files?`, details: { old } });
    if (!answer.approved) throw new ToolError("DENIED", `not deleted: ${answer.reason}`);
    deleted.push(...old);
    return { deleted: old.length };
  },
});

const say = (approved: boolean): Approver => ({
  async ask({ question }) {
    console.log(question);
    assert.equal(question?.text, "Delete 2 files?");
    return approved ? { approved, scope: "once" } : { approved, reason: "keep them" };
  },
});

const call = { id: "1", name: "clean_up", input: {} };
const yes = createEngine({ tools: [cleanUp], approver: say(true) });
const done = await yes.run(call);
assert.ok(done.ok);
assert.deepEqual(deleted, ["a.log", "b.log"]);

const no = createEngine({ tools: [cleanUp], approver: say(false) });
const refused = await no.run(call);
assert.ok(!refused.ok);
console.log(refused.error);
assert.equal(refused.error.message, "not deleted: keep them");

const alone = createEngine({ tools: [cleanUp] });
const denied = await alone.run(call);
assert.ok(!denied.ok);
assert.match(denied.error.message, /there is no approver/);
assert.equal(deleted.length, 2);
await Promise.all([yes.close(), no.close(), alone.close()]);
