import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { call, codeOf, textOf } from "../../../../test/support/engines/engine.ts";
import { sayModule } from "../../../../test/support/programs/extensions.ts";
import { untilTrue } from "../../../../test/support/running.ts";
import { writeSkill } from "../../../../test/support/agents/skills.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { assemble } from "../assemble.ts";
import type { Assembly, AssembleOptions } from "../assembly.ts";
import { COMMANDS } from "../../cli/commands.ts";
import { RESERVED_COMMANDS } from "../../../sources/extension/extension.ts";
import { loadConfig } from "../../config/config.ts";
import { collectTrustItems } from "../../config/trust/trust-items.ts";
import type { IsTrusted } from "../../config/files/trust.ts";

const GUARD =
  'api.hook({ name: "guard", on: ["before_tool"], run: () => ({ kind: "refuse", reason: "no" }) });';

function place(t: TestContext) {
  const root = temporaryFolder(t);
  const [cwd, userHome] = [join(root, "work"), join(root, "home")];
  for (const folder of [cwd, userHome])
    for (const kind of ["extensions", "skills"])
      mkdirSync(join(folder, ".toolwright", kind), { recursive: true });
  const config = () => loadConfig({ mode: "yolo" }, { cwd, userHome, variables: {} });
  const folderOf = (whose: "user" | "project", kind = "extensions"): string =>
    join(whose === "user" ? userHome : cwd, ".toolwright", kind);
  return {
    config,
    folderOf,
    write: (whose: "user" | "project", name: string, text: string) =>
      writeFileSync(join(folderOf(whose), name), text),
    open: async (options: AssembleOptions = {}): Promise<Assembly> => {
      const assembly = await assemble(config(), options);
      t.after(() => assembly.close());
      return assembly;
    },
    /** Trusts all that the project has now. */
    trusting: (): IsTrusted => {
      const { items } = collectTrustItems(config());
      return (kind, name, hash) =>
        items.some((item) => item.kind === kind && item.name === name && item.hash === hash);
    },
  };
}

test("the user's extensions are tools, and their hooks hold for the first call of a short process", async (t) => {
  const { write, open } = place(t);
  write("user", "a.js", sayModule("a", "hello"));
  assert.equal(textOf(await (await open()).engine.run(call("a_tool"))), "hello");
  write("user", "b.js", sayModule("b", "b", GUARD));
  const { engine } = await open();
  assert.equal(codeOf(await engine.run(call("think", { thought: "x" }))), "DENIED");
});

test("a project's extensions are run once they are trusted by name and content, and not when they have changed", async (t) => {
  const { write, open, trusting } = place(t);
  write("project", "theirs.js", sayModule("theirs", "ran"));
  const untrusting = await open();
  await untrusting.engine.sources.settled();
  assert.deepEqual(
    (await untrusting.problems()).map(({ reason, hint }) => [reason, hint]),
    [["untrusted", "run toolwright trust"]],
  );
  const isTrusted = trusting();
  assert.equal(textOf(await (await open({ isTrusted })).engine.run(call("theirs_tool"))), "ran");
  write("project", "theirs.js", sayModule("theirs", "changed"));
  assert.equal(codeOf(await (await open({ isTrusted })).engine.run(call("theirs_tool"))), "TOOL_NOT_FOUND");
});

test("the user's own extension has its name before the project's", async (t) => {
  const { write, open } = place(t);
  write("user", "z.js", sayModule("same", "mine"));
  write("project", "a.js", sayModule("same", "theirs"));
  const { engine, problems } = await open({ isTrusted: () => true });
  await engine.sources.settled();
  assert.equal(textOf(await engine.run(call("same_tool"))), "mine");
  assert.deepEqual(
    (await problems()).map(({ source, reason }) => [source, reason]),
    [["extensions:project", "name_taken"]],
  );
});

test("in the user's home the project's folder is the user's own", async (t) => {
  const root = temporaryFolder(t);
  mkdirSync(join(root, "real/.toolwright/extensions"), { recursive: true });
  symlinkSync(join(root, "real"), join(root, "home"));
  writeFileSync(join(root, "real/.toolwright/extensions/a.js"), sayModule("a", "once"));
  const config = loadConfig(
    { mode: "yolo" },
    { cwd: join(root, "real"), userHome: join(root, "home"), variables: {} },
  );
  const { engine, problems } = await assemble(config);
  t.after(() => engine.close());
  assert.equal(textOf(await engine.run(call("a_tool"))), "once");
  assert.deepEqual(await problems(), []);
});

test("a process that stays loads at once and reloads by itself; what extensions log is heard", async (t) => {
  const { write, open } = place(t);
  const logged: string[] = [];
  write("user", "a.js", sayModule("a", "one", 'api.log("here");'));
  const { engine } = await open({
    isLongLived: true,
    extensionLog: (name, message) => void logged.push(`${name} ${message}`),
  });
  await untilTrue("it is loaded", () => engine.get("a_tool") !== undefined);
  write("user", "a.js", sayModule("a", "two", 'api.log("again");'));
  await untilTrue("it is reloaded", async () => textOf(await engine.run(call("a_tool"))) === "two");
  assert.deepEqual(logged, ["a here", "a again"]);
});

test("skills of the user and the project are loaded; the project's become instructions only when trusted", async (t) => {
  const { folderOf, open, trusting } = place(t);
  writeSkill(folderOf("user", "skills"), "mine");
  writeSkill(folderOf("project", "skills"), "theirs");
  writeSkill(folderOf("project", "skills"), "broken", { head: "name: broken" });
  const { engine, skills, problems } = await open();
  assert.match(
    textOf(await engine.run(call("load_skill", { skill: "mine" }))),
    /^\[skill mine\]\nDo mine\.$/,
  );
  assert.match(textOf(await engine.run(call("load_skill", { skill: "theirs" }))), /untrusted/);
  assert.deepEqual(
    (await problems()).map(({ source, reason }) => [source, reason]),
    [["skills", "bad_schema"]],
  );
  assert.equal((await skills.load("theirs"))?.skill.isTrusted, false);
  assert.equal((await (await open({ isTrusted: trusting() })).skills.load("theirs"))?.skill.isTrusted, true);
});

test("no extension can have the name of a command of the program", () => {
  const own = Object.keys(COMMANDS).flatMap((name) => (name.startsWith("/") ? [name.slice(1)] : []));
  assert.ok(own.length > 0);
  for (const name of own) assert.ok(RESERVED_COMMANDS.includes(name), name);
});
