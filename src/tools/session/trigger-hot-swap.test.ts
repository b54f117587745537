import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { testConversation } from "../../../test/support/agents/conversation.ts";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { writeSkill } from "../../../test/support/agents/skills.ts";
import { engineOf, say } from "../../../test/support/engines/sources.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { provide } from "../../core/context.ts";
import { ConversationKey } from "../../core/agent/conversation.ts";
import type { JsonObject } from "../../core/json.ts";
import { createSkills } from "../../app/host/skills/skills.ts";
import { sessionTools } from "./family.ts";

const S = { session: "s" };

function place(t: TestContext) {
  const folder = temporaryFolder(t);
  const skills = createSkills([
    { path: join(folder, "mine") },
    { path: join(folder, "theirs"), isTrusted: () => false },
  ]);
  writeSkill(join(folder, "mine"), "mail", { head: "name: mail\ndescription: d\ngroups: [mail]" });
  writeSkill(join(folder, "mine"), "look", { head: "name: look\ndescription: d\ntools: [fetch]" });
  writeSkill(join(folder, "mine"), "plain");
  writeSkill(join(folder, "mine"), "root", { head: "name: root\ndescription: d\ngroups: [mail, admin]" });
  writeSkill(join(folder, "mine"), "wrong", { head: "name: wrong\ndescription: d\ntools: [no_such]" });
  writeSkill(join(folder, "theirs"), "evil");
  const engine = engineOf(t);
  engine.groups.create("about", { locked: true });
  engine.groups.create("admin", { active: false, locked: true });
  engine.groups.create("mail", { active: false });
  engine.groups.create("web");
  engine.add([
    say("send", "", { group: "mail" }),
    say("fetch", "", { group: "web" }),
    say("crawl", "", { group: "web" }),
    say("drop", "", { group: "admin" }),
  ]);
  engine.add(sessionTools({ skills, dumpsFolder: join(folder, "dumps") }));
  const conversation = testConversation([{ role: "user", text: "hello" }]);
  const context = [provide(ConversationKey, conversation)];
  return {
    engine,
    conversation,
    active: () => engine.list(S).map(({ name }) => name),
    swap: (input: JsonObject) => engine.run(call("trigger_hot_swap", input), { ...S, context }),
  };
}

const BEFORE = ["fetch", "crawl", "trigger_hot_swap", "write_memory_dump"];

test("the texts of the skills become the instructions, and their groups and tools are activated", async (t) => {
  const { swap, active, conversation, engine } = place(t);
  assert.deepEqual(active(), BEFORE);
  const result = await swap({ skills: ["mail", "look", "mail"] });
  assert.deepEqual(conversation.instructions, [
    { name: "mail", text: "Do mail." },
    { name: "look", text: "Do look." },
  ]);
  assert.deepEqual(active(), ["send", ...BEFORE]);
  assert.match(textOf(result), /^\[skills: mail, look; history kept; active tools:\]\nmail: send\n/);
  assert.deepEqual(result.ok && (result.data as JsonObject)["tools"], active());
  assert.deepEqual(
    engine.list().map(({ name }) => name),
    BEFORE,
    "other sessions keep their tools",
  );
});

test("the history stays unless it is not to be preserved", async (t) => {
  const { swap, conversation } = place(t);
  await swap({ skills: ["plain"] });
  assert.equal(conversation.said.length, 1);
  const result = await swap({ skills: ["plain"], preserve_history: false });
  assert.equal(conversation.said.length, 0);
  assert.match(textOf(result), /history cleared/);
});

test("skills that name no tools leave the tools as they are", async (t) => {
  const { swap, active } = place(t);
  await swap({ skills: ["plain"] });
  assert.deepEqual(active(), BEFORE);
});

for (const [what, skills, code] of [
  ["a locked group", ["plain", "root"], "DENIED"],
  ["a tool that is not there", ["mail", "wrong"], "INVALID_INPUT"],
  ["an unknown skill", ["mail", "nothing"], "TOOL_FAILED"],
  ["a skill that nobody has trusted", ["mail", "evil"], "DENIED"],
  ["no skill at all", [], "INVALID_INPUT"],
] as const) {
  test(`a swap with ${what} is refused and changes nothing`, async (t) => {
    const { swap, active, conversation } = place(t);
    assert.equal(codeOf(await swap({ skills, preserve_history: false })), code);
    assert.deepEqual(active(), BEFORE);
    assert.deepEqual(conversation.instructions, []);
    assert.equal(conversation.said.length, 1);
  });
}

test("a session that cannot take the instructions has the tools it had before, single ones too", async (t) => {
  const { swap, active, conversation, engine } = place(t);
  engine.session(S.session).groups.deactivate("web");
  await swap({ skills: ["look"] });
  const before = active();
  assert.deepEqual(before, ["fetch", "trigger_hot_swap", "write_memory_dump"]);
  conversation.isBroken = true;
  assert.equal(codeOf(await swap({ skills: ["mail"] })), "TOOL_FAILED");
  assert.deepEqual(active(), before);
});

test("without an agent's conversation the tools answer MISSING_CONTEXT", async (t) => {
  const { engine } = place(t);
  const swap = await engine.run(call("trigger_hot_swap", { skills: ["plain"] }));
  const dump = await engine.run(call("write_memory_dump", { content: "x" }));
  assert.deepEqual([codeOf(swap), codeOf(dump)], ["MISSING_CONTEXT", "MISSING_CONTEXT"]);
});
