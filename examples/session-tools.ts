// An agent adds tools about its own session: a dump of the conversation, and a swap of skills and tools at run time.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ConversationKey,
  createEngine,
  defineTool,
  provide,
  type Conversation,
  type InstructionPart,
  type Said,
} from "toolwright";
import { createSkills } from "toolwright/sources";
import { aboutTools, sessionTools } from "toolwright/tools";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-session-")));
mkdirSync(join(folder, "skills/release"), { recursive: true });
writeFileSync(
  join(folder, "skills/release/SKILL.md"),
  "---\nname: release\ndescription: How a version is published.\ngroups: [publishing]\n---\nTag it, then publish it.\n",
);

const define = (name: string) =>
  defineTool({ name, description: `Does ${name}.`, risk: "low", run: () => `${name} done` });
const engine = createEngine();
engine.groups.create("about", { locked: true });
engine.groups.create("publishing", { active: false });
engine.groups.create("writing");
engine.add(define("publish"), { group: "publishing" });
engine.add(define("draft"), { group: "writing" });

// The state of your agent that the tools can read and change.
const history: Said[] = [{ role: "user", text: "Publish version 2." }];
let instructions: readonly InstructionPart[] = [];
const conversation: Conversation = {
  messages: () => history,
  goals: () => ["publish version 2"],
  decisions: () => [],
  replaceInstructions(parts, { keepsHistory }) {
    instructions = parts;
    if (!keepsHistory) history.length = 0;
  },
};

// The session starts: its tools are added at run time, and get their state from the context of each call.
const skills = createSkills([{ path: join(folder, "skills") }]);
engine.add([...aboutTools({ skills }), ...sessionTools({ skills, dumpsFolder: join(folder, "dumps") })]);
const options = { session: "agent-1", context: [provide(ConversationKey, conversation)] };
const specNames = () => engine.specs("anthropic", { session: "agent-1" }).map((spec) => spec["name"]);
console.log(specNames());
assert.ok(specNames().includes("draft") && !specNames().includes("publish"));

try {
  const dump = await engine.run({ id: "1", name: "write_memory_dump", input: {} }, options);
  assert.ok(dump.ok);
  console.log(dump.content);
  const { path } = dump.data as { readonly path: string };
  assert.match(readFileSync(path, "utf8"), /> Publish version 2\./);

  const input = { skills: ["release"], preserve_history: false };
  const swapped = await engine.run({ id: "2", name: "trigger_hot_swap", input }, options);
  assert.ok(swapped.ok);
  console.log(swapped.content, specNames());
  assert.deepEqual(instructions, [{ name: "release", text: "Tag it, then publish it." }]);
  assert.equal(history.length, 0);
  // The next request to the model has the tools of the skill too.
  assert.ok(specNames().includes("publish") && specNames().includes("draft"));
} finally {
  await engine.close();
  rmSync(folder, { recursive: true });
}
