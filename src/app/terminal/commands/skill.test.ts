import assert from "node:assert/strict";
import { test } from "node:test";
import { engineOf } from "../../../../test/support/engines/sources.ts";
import type { Skill, Skills } from "../../../core/skills.ts";
import { skillCommand } from "./skill.ts";

const SKILL: Skill = {
  name: "review",
  description: "Reviews a change. And more.",
  folder: "/skills/review",
  groups: [],
  tools: [],
  isTrusted: true,
};
const SKILLS: Skills = {
  list: async () => ({
    skills: [SKILL, { ...SKILL, name: "theirs", isTrusted: false }],
    problems: [{ source: "skills", message: "broken" } as never],
  }),
  load: async (name) =>
    name === "review" ? { skill: SKILL, text: "Look\u{1b} closely.\n", files: [] } : undefined,
};

test("/skill lists the skills and says which are not trusted; /skill NAME shows one", async (t) => {
  let shown = "";
  const world = { engine: engineOf(t), print: (text: string) => void (shown += text) };
  await skillCommand(SKILLS).run("", world);
  assert.equal(
    shown,
    "review  Reviews a change.\ntheirs  Reviews a change. (not trusted: toolwright trust)\nProblems: 1, see toolwright tools --problems\n",
  );
  shown = "";
  await skillCommand(SKILLS).run("review", world);
  assert.equal(shown, "review  /skills/review\n\nLook\\u{1b} closely.\n");
  await assert.rejects(skillCommand(SKILLS).run("revew", world), /there is no skill "revew"/);
});
