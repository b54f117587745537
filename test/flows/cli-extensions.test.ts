import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { sayModule } from "../support/programs/extensions.ts";
import { writeSkill } from "../support/agents/skills.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A place whose user has the extension that the documentation shows. */
function withJokes(t: TestContext): Place {
  const place = createPlace(t);
  const [, shown = ""] = /```js\n([\s\S]*?)```/.exec(readFileSync("docs/extensions.md", "utf8")) ?? [];
  put(join(place.home, "extensions/jokes.js"), shown);
  return place;
}

test("the extension in the docs works as a tool, a hook and a command", async (t) => {
  const place = withJokes(t);
  const called = await runCli(place, ["call", "tell_joke", "about=goose"]);
  assert.deepEqual([called.code, called.stdout, called.stderr], [0, "A goose walks into a bar.\n", ""]);
  assert.match((await runCli(place, ["tools"])).stdout, /^tell_joke +- +low +Tells a joke\.$/m);
  const joke = await runCli(place, ["/joke", "old", "goose"]);
  assert.deepEqual([joke.code, joke.stdout], [0, "A old goose walks into a bar.\n"]);
  const forced = await runCli(place, ["call", "shell", "command=echo --force", "--mode", "yolo"]);
  assert.equal(forced.code, 3, "yolo would run it, but the hook wants somebody asked");
  assert.match(forced.stderr, /it forces something/);
  const verbose = await runCli(place, ["call", "tell_joke", "about=x", "--verbose"]);
  assert.match(verbose.stderr, /toolwright: extension jokes: no more jokes/);
});

test("tools --problems and doctor name the extensions and skills that cannot be used", async (t) => {
  const place = withJokes(t);
  put(join(place.home, "extensions/broken.mjs"), "export default (");
  put(join(place.folder, ".toolwright/extensions/theirs.js"), sayModule("theirs", "x"));
  writeSkill(join(place.home, "skills"), "odd", { head: "name: odd" });
  const { stdout, code } = await runCli(place, ["tools", "--problems", "--json"]);
  const problems = JSON.parse(stdout) as readonly { readonly reason: string; readonly source: string }[];
  assert.equal(code, 0);
  assert.deepEqual(
    problems.map(({ source, reason }) => `${source} ${reason}`),
    ["extensions:user failed", "extensions:project untrusted", "skills bad_schema"],
  );
  const doctor = await runCli(place, ["doctor"]);
  assert.equal(doctor.code, 0);
  assert.match(doctor.stdout, /^note +extension: .*broken\.mjs: SyntaxError/m);
  assert.match(doctor.stdout, /^note +skill: .*odd\/SKILL\.md: its front matter has no description/m);
  assert.match(doctor.stdout, /^ok +tools: .*1 from extensions/m);
});

test("a project's extension and skill work after toolwright trust", async (t) => {
  const place = createPlace(t);
  put(join(place.folder, ".toolwright/extensions/theirs.js"), sayModule("theirs", "trusted now"));
  writeSkill(join(place.folder, ".toolwright/skills"), "release");
  assert.equal((await runCli(place, ["call", "theirs_tool", "--yes"])).code, 2);
  const listed = await runCli(place, ["trust"]);
  assert.match(listed.stdout, /extension:theirs\.js/);
  assert.match(listed.stdout, /skill:release/);
  const trusted = await runCli(place, ["trust", "extension:theirs.js", "skill:release"]);
  assert.equal(trusted.code, 0, trusted.stderr);
  const called = await runCli(place, ["call", "theirs_tool", "--yes"]);
  assert.deepEqual([called.code, called.stdout], [0, "trusted now\n"], called.stderr);
  assert.match((await runCli(place, ["call", "load_skill", "skill=release"])).stdout, /^\[skill release\]\n/);
});

test("an unknown slash command exits 2 and names the near ones", async (t) => {
  const place = withJokes(t);
  const { code, stderr } = await runCli(place, ["/joek"]);
  assert.deepEqual([code, stderr], [2, 'toolwright: unknown command "/joek"\n  did you mean /joke?\n']);
});
