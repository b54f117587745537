import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Engine } from "../../../engine/types/engine.ts";
import { call, codeOf, textOf } from "../../../../test/support/engines/engine.ts";
import { schemaOf, shellTool, writeProgram } from "../../../../test/support/programs/programs.ts";
import { untilTrue } from "../../../../test/support/running.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { assemble } from "../assemble.ts";
import type { AssembleOptions } from "../assembly.ts";
import { loadConfig, type ConfigFlags } from "../../config/config.ts";
import type { Config } from "../../config/groups.ts";
import { collectTrustItems } from "../../config/trust/trust-items.ts";

interface Place {
  readonly root: string;
  readonly userTools: string;
  readonly projectTools: string;
  readonly config: (user?: object, flags?: ConfigFlags) => Config;
  readonly open: (config: Config, options?: AssembleOptions) => Promise<Engine>;
}

function place(t: TestContext): Place {
  const root = temporaryFolder(t);
  const [cwd, userHome] = [join(root, "work"), join(root, "home")];
  for (const folder of [join(cwd, ".toolwright"), join(userHome, ".toolwright")])
    mkdirSync(folder, { recursive: true });
  return {
    root,
    userTools: join(userHome, ".toolwright/tools"),
    projectTools: join(cwd, ".toolwright/tools"),
    config(user = {}, flags = {}) {
      writeFileSync(join(userHome, ".toolwright/config.json"), JSON.stringify(user));
      const variables = { PATH: process.env["PATH"], SHOWN: "yes", HIDDEN: "no" };
      return loadConfig({ mode: "yolo", ...flags }, { cwd, userHome, variables });
    },
    async open(config, options = {}) {
      const { engine } = await assemble(config, options);
      t.after(() => engine.close());
      return engine;
    },
  };
}

const tool = (name: string, body = "echo 1"): string => shellTool(schemaOf(name), body);

const programsOf = async (engine: Engine): Promise<readonly string[]> => {
  await engine.sources.settled();
  return engine.list().flatMap(({ name, source }) => (source.startsWith("external:") ? [name] : []));
};

test("the user's programs and those of configured folders are tools, and a call finds them without a refresh", async (t) => {
  const { root, userTools, config, open } = place(t);
  writeProgram(userTools, "mine", tool("mine", 'printf \'"%s%s"\' "$SHOWN" "$HIDDEN"'));
  writeProgram(join(root, "more"), "other", tool("other"));
  const engine = await open(config({ toolDirectories: [join(root, "more")], environment: ["SHOWN"] }));
  assert.equal(engine.sources.state(), "not_started", "a short process asks nobody unless it must");
  assert.equal(textOf(await engine.run(call("mine"))), "yes");
  assert.deepEqual(await programsOf(engine), ["mine", "other"]);
});

test("a built-in tool keeps its name, and so does the user's own program before a configured one", async (t) => {
  const { root, userTools, config, open } = place(t);
  writeProgram(userTools, "a", tool("read_file"));
  writeProgram(userTools, "b", tool("same", "echo '\"user\"'"));
  writeProgram(join(root, "more"), "c", tool("same", "echo '\"more\"'"));
  const engine = await open(config({ toolDirectories: [join(root, "more")] }));
  assert.deepEqual(await programsOf(engine), ["same"]);
  assert.equal(textOf(await engine.run(call("same"))), "user");
  assert.deepEqual(
    engine.sources.problems().map(({ source, subject, reason }) => [source, subject, reason]),
    [
      ["external:user", "read_file", "name_taken"],
      [`external:${join(root, "more")}`, "same", "name_taken"],
    ],
  );
});

test("a project's programs are listed as untrusted until the user trusts them, by name and content", async (t) => {
  const { config, open, projectTools } = place(t);
  writeProgram(projectTools, "theirs", tool("theirs"));
  const untrusting = await open(config());
  assert.deepEqual(await programsOf(untrusting), []);
  const [problem] = untrusting.sources.problems();
  assert.deepEqual([problem?.reason, problem?.hint], ["untrusted", "run toolwright trust"]);
  const { items } = collectTrustItems(config());
  assert.deepEqual(
    items.map(({ kind, name }) => [kind, name]),
    [["tool", "theirs"]],
  );
  const isTrusted: AssembleOptions["isTrusted"] = (kind, name, hash) =>
    items.some((item) => item.kind === kind && item.name === name && item.hash === hash);
  const trusting = await open(config(), { isTrusted });
  assert.deepEqual(await programsOf(trusting), ["theirs"]);
  writeProgram(projectTools, "theirs", tool("theirs", "echo 2"));
  await trusting.sources.refresh();
  assert.deepEqual(await programsOf(trusting), []);
});

test("the user's settings hold for the user's programs, never for a project's of the same name", async (t) => {
  const { config, open, projectTools, userTools } = place(t);
  const user = { externalTools: { eased: { risk: "low", effects: "none", timeoutSeconds: 7 } } };
  writeProgram(projectTools, "theirs", tool("eased"));
  const theirs = await open(config(user), { isTrusted: () => true });
  await programsOf(theirs);
  assert.equal(theirs.get("eased")?.risk, "high");
  writeProgram(userTools, "mine", tool("eased"));
  const mine = await open(config(user), { isTrusted: () => true });
  await programsOf(mine);
  const { risk, effects, limits, source } = mine.get("eased") ?? {};
  assert.deepEqual([risk, effects, limits?.timeoutMs], ["low", "none", 7000]);
  assert.match(source ?? "", /mine$/);
});

test("presets of the config reach a program, and no model sees them", async (t) => {
  const { config, open, userTools } = place(t);
  const parameters = { key: { type: "string", required: true }, q: { type: "string" } };
  writeProgram(userTools, "search", shellTool(schemaOf("search", { parameters }), "cat"));
  const settings = config({ presets: { search: { key: "hunter2hunter2" } } });
  const engine = await open(settings);
  const result = await engine.run(call("search", { q: "x" }));
  assert.equal(codeOf(result), "ok");
  assert.match(textOf(result), /"key":/);
  assert.doesNotMatch(textOf(result), /hunter2/);
  assert.deepEqual(Object.keys(engine.get("search")?.input["properties"] ?? {}), ["key", "q"]);
  assert.deepEqual(Object.keys(engine.list().at(-1)?.input["properties"] ?? {}), ["q"]);
  assert.doesNotMatch(JSON.stringify(settings.report.origins), /hunter2/, "doctor shows no secret");
});

test("under the profile external the built-in tools are off and the package's own folder is scanned", async (t) => {
  const { config, open } = place(t);
  const engine = await open(config({}, { profile: "external" }));
  assert.equal(engine.get("read_file"), undefined);
  assert.equal(engine.sources.state("external:libexec"), "not_started");
  const other = await open(config());
  assert.throws(() => other.sources.state("external:libexec"), /no source/);
});

test("one folder that cannot be used hurts no other", async (t) => {
  const { root, config, open, userTools } = place(t);
  writeProgram(userTools, "mine", tool("mine"));
  const shared = join(root, "shared");
  writeProgram(shared, "theirs", tool("theirs"));
  chmodSync(shared, 0o777);
  const engine = await open(config({ toolDirectories: [shared, join(root, "missing")] }));
  assert.deepEqual(await programsOf(engine), ["mine"]);
  assert.equal(engine.sources.state(), "failed");
  assert.equal(engine.sources.state("external:user"), "complete");
  assert.deepEqual(
    engine.sources.problems().map(({ source, reason }) => [source, reason]),
    [[`external:${shared}`, "failed"]],
  );
});

test("in a process that stays, programs are asked at once and again when their folder changes", async (t) => {
  const { config, open, userTools } = place(t);
  const engine = await open(config(), { isLongLived: true });
  assert.equal(engine.sources.state(), "in_progress");
  await engine.sources.settled();
  writeProgram(userTools, "late", tool("late"));
  await untilTrue("the new program is a tool", () => engine.get("late") !== undefined);
});
