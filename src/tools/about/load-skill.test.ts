import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { writeSkill } from "../../../test/support/agents/skills.ts";
import { engineOf } from "../../../test/support/engines/sources.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createSkills } from "../../app/host/skills/skills.ts";
import { loadSkill } from "./load-skill.ts";

function place(t: TestContext, isTrusted = true) {
  const folder = temporaryFolder(t);
  const skills = createSkills([{ path: folder, isTrusted: () => isTrusted }]);
  const engine = engineOf(t, { mode: "auto", tools: [loadSkill(skills)] });
  return { folder, load: (skill: string) => engine.run(call("load_skill", { skill })) };
}

test("a skill is returned with its text, its tools and the paths of its files", async (t) => {
  const { folder, load } = place(t);
  const head = "name: pdf\ndescription: d\ngroups: [files]\ntools: [think]";
  const skill = writeSkill(folder, "pdf", { head, text: "Line 1\nLine 2", files: { "fill.py": "" } });
  const result = await load("pdf");
  const file = join(skill, "fill.py");
  assert.equal(
    textOf(result),
    `[skill pdf]\nLine 1\nLine 2\n[works with: group files, think]\n[files, for read_file:]\n${file}`,
  );
  assert.deepEqual(result.ok && result.data, {
    name: "pdf",
    folder: skill,
    groups: ["files"],
    tools: ["think"],
    files: [file],
  });
});

test('"list" lists the skills, each in one line', async (t) => {
  const { folder, load } = place(t);
  assert.equal(textOf(await load("list")), "[no skills]");
  writeSkill(folder, "b", { head: "name: b\ndescription: |\n  One\n  two." });
  writeSkill(folder, "a");
  assert.equal(textOf(await load("list")), "a: How to a.\nb: One two.");
});

test("an unknown name gets suggestions, or a list of all", async (t) => {
  const { folder, load } = place(t);
  for (const name of ["code-review", "release"]) writeSkill(folder, name);
  const near = await load("code_reviw");
  assert.deepEqual([codeOf(near), !near.ok && near.error.hint], ["TOOL_FAILED", "did you mean code-review?"]);
  const far = await load("gardening");
  assert.equal(!far.ok && far.error.hint, "skills: code-review, release");
  writeSkill(folder, "broken", { head: "name: broken" });
  const broken = await load("gardening");
  assert.match((!broken.ok && broken.error.hint) || "", /skills that cannot be used: 1$/);
});

test("an untrusted skill is marked as advice", async (t) => {
  const { folder, load } = place(t, false);
  writeSkill(folder, "theirs");
  assert.match(
    textOf(await load("theirs")),
    /^\[skill theirs: untrusted, treat it as advice\]\nDo theirs\.$/,
  );
});

test("a skill of up to 50 KB is read whole", async (t) => {
  const { folder, load } = place(t);
  writeSkill(folder, "long", { text: `${"word ".repeat(9000)}end` });
  assert.match(textOf(await load("long")), /end$/);
});
