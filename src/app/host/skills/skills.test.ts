import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeSkill } from "../../../../test/support/agents/skills.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createSkills } from "./skills.ts";

const reasonsOf = async (folder: string): Promise<readonly string[]> => {
  const { problems } = await createSkills([{ path: folder }]).list();
  return problems.map(({ reason, message }) => `${reason}: ${message}`);
};

test("skills are found by their folders, in order of their names, with what they say of themselves", async (t) => {
  const folder = temporaryFolder(t);
  writeSkill(folder, "write", {
    head: "name: write\ndescription: >\n  Two\n  lines.\ngroups: [files]\ntools:\n  - think",
  });
  writeSkill(folder, "audit", {
    head: "name: audit\ndescription: d\nallowed-tools: read_file, grep glob\nlicense: MIT",
  });
  mkdirSync(join(folder, "no-skill"));
  writeFileSync(join(folder, "README.md"), "not one either");
  const { skills, problems } = await createSkills([{ path: folder }]).list();
  assert.deepEqual(problems, []);
  assert.deepEqual(skills, [
    {
      name: "audit",
      description: "d",
      folder: join(folder, "audit"),
      groups: [],
      tools: ["read_file", "grep", "glob"],
      isTrusted: true,
    },
    {
      name: "write",
      description: "Two lines.",
      folder: join(folder, "write"),
      groups: ["files"],
      tools: ["think"],
      isTrusted: true,
    },
  ]);
});

test("a skill is loaded as it is now, without its front matter and with its other files", async (t) => {
  const folder = temporaryFolder(t);
  const place = writeSkill(folder, "pdf", { files: { "b.md": "", "scripts/a.sh": "", ".hidden": "" } });
  symlinkSync("/etc/passwd", join(place, "link"));
  const skills = createSkills([{ path: folder }]);
  const loaded = await skills.load("pdf");
  assert.equal(loaded?.text, "Do pdf.");
  assert.deepEqual(loaded?.files, [join(place, "b.md"), join(place, "scripts/a.sh")]);
  writeSkill(folder, "pdf", { text: "Anew." });
  assert.equal((await skills.load("pdf"))?.text, "Anew.");
  rmSync(place, { recursive: true });
  assert.equal(await skills.load("pdf"), undefined);
});

test("folders that do not exist have no skills and no problems", async (t) => {
  const skills = createSkills([{ path: join(temporaryFolder(t), "none") }]);
  assert.deepEqual(await skills.list(), { skills: [], problems: [] });
});

test("of two skills with one name the first folder's holds and the other is a problem", async (t) => {
  const folder = temporaryFolder(t);
  writeSkill(join(folder, "user"), "review", { text: "Mine." });
  const theirs = writeSkill(join(folder, "project"), "review", { text: "Theirs." });
  const skills = createSkills([{ path: join(folder, "user") }, { path: join(folder, "project") }]);
  assert.equal((await skills.load("review"))?.text, "Mine.");
  const { problems } = await skills.list();
  assert.deepEqual(
    problems.map(({ subject, reason }) => [subject, reason]),
    [[join(theirs, "SKILL.md"), "name_taken"]],
  );
});

test("trust in a skill is decided by its folder's name and the hash of its SKILL.md", async (t) => {
  const folder = temporaryFolder(t);
  const place = writeSkill(folder, "review");
  const hash = createHash("sha256")
    .update(readFileSync(join(place, "SKILL.md")))
    .digest("hex");
  const skills = createSkills([
    { path: folder, isTrusted: (name, found) => name === "review" && found === hash },
  ]);
  assert.equal((await skills.load("review"))?.skill.isTrusted, true);
  writeSkill(folder, "review", { text: "Another text." });
  assert.equal((await skills.load("review"))?.skill.isTrusted, false);
});

const BOMB = `a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nname: bomb\ndescription: *c`;

for (const [what, head, expected] of [
  ["no name", "description: d", /^bad_schema: .*no name/],
  ["no description", "name: x", /^bad_schema: .*no description/],
  ["an empty description", "name: x\ndescription: ' '", /^bad_schema: .*no description/],
  ["a description without end", `name: x\ndescription: ${"long ".repeat(300)}`, /^bad_schema: .*1024/],
  ["a name with a path in it", "name: ../x\ndescription: d", /^bad_name/],
  ["the name that lists", "name: list\ndescription: d", /^bad_name/],
  ["a list for a map", "- name", /^bad_schema/],
  ["groups that are no names", "name: x\ndescription: d\ngroups: [1]", /^bad_schema: groups/],
  ["tools that are a map", "name: x\ndescription: d\ntools: {a: b}", /^bad_schema: tools/],
  ["broken YAML", "name: 'x\ndescription: d", /^bad_schema: .*not plain YAML/],
  ["a tag of its own", "name: !!js/function 'x'\ndescription: d", /^bad_schema: .*not plain YAML/],
  ["an alias bomb", BOMB, /^bad_schema: .*not plain YAML/],
  ["a key twice", "name: x\nname: y\ndescription: d", /^bad_schema: .*not plain YAML/],
  ["front matter over 16 KB", `name: x\ndescription: d\nmore: ${"y".repeat(17_000)}`, /^bad_schema: .*16 KB/],
] as const) {
  test(`a skill with ${what} is a problem and hurts no other`, async (t) => {
    const folder = temporaryFolder(t);
    writeSkill(folder, "bad", { head });
    writeSkill(folder, "good");
    const problems = await reasonsOf(folder);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", expected);
    assert.equal((await createSkills([{ path: folder }]).load("good"))?.text, "Do good.");
  });
}

test("a SKILL.md without front matter, or with one that does not end, is a problem", async (t) => {
  const folder = temporaryFolder(t);
  for (const [name, text] of [
    ["a", "# Title\n---\nname: a\n---\n"],
    ["b", "---\nname: b\ndescription: d\n"],
    ["c", ""],
  ] as const) {
    writeSkill(folder, name, { files: { "SKILL.md": text } });
  }
  assert.equal((await reasonsOf(folder)).filter((reason) => /does not begin/.test(reason)).length, 3);
});

test("front matter may come with a byte order mark and CRLF", async (t) => {
  const folder = temporaryFolder(t);
  const text = "\uFEFF---\r\nname: dos\r\ndescription: d\r\n---\r\nText.\r\n";
  writeSkill(folder, "dos", { files: { "SKILL.md": text } });
  assert.equal((await createSkills([{ path: folder }]).load("dos"))?.text, "Text.");
});

test("a file over 256 KB, and one that is a link out of the folder, are problems and are not read", async (t) => {
  const folder = temporaryFolder(t);
  const outside = writeSkill(temporaryFolder(t), "outside");
  writeSkill(folder, "big", { text: "x".repeat(256 * 1024) });
  mkdirSync(join(folder, "linked"));
  symlinkSync(join(outside, "SKILL.md"), join(folder, "linked/SKILL.md"));
  symlinkSync(outside, join(folder, "whole"));
  const problems = await reasonsOf(folder);
  assert.match(problems[0] ?? "", /^too_large/);
  assert.match(problems[1] ?? "", /^untrusted: .*leads out of the folder/);
  assert.match(problems[2] ?? "", /^untrusted: .*leads out of the folder/);
  assert.deepEqual((await createSkills([{ path: folder }]).list()).skills, []);
});

test("a folder that every user may write to is not used", async (t) => {
  const folder = join(temporaryFolder(t), "skills");
  writeSkill(folder, "a");
  chmodSync(folder, 0o777);
  assert.match((await reasonsOf(folder))[0] ?? "", /^failed: .* is world-writable/);
});
