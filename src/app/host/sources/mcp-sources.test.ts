import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { call, textOf } from "../../../../test/support/engines/engine.ts";
import { rawServer, toolOf } from "../../../../test/support/servers/mcp.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { JsonObject } from "../../../core/json.ts";
import { hashOf } from "../../../util/json/call-hash.ts";
import { assemble } from "../assemble.ts";
import { loadConfig } from "../../config/config.ts";
import type { Config } from "../../config/groups.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { collectTrustItems } from "../../config/trust/trust-items.ts";
import { createConfiguredPolicy, readConfiguredRules } from "../configured-policy.ts";
import { mcpEntries, mcpSources } from "./mcp-sources.ts";

/** The config of a user and a project, each with what is in its file. */
function configOf(t: TestContext, user: JsonObject, project: JsonObject = {}): Config {
  const [cwd, userHome] = [temporaryFolder(t), temporaryFolder(t)];
  const write = (folder: string, name: string, values: JsonObject): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(values));
  };
  write(join(userHome, ".toolwright"), "config.json", user);
  write(cwd, ".mcp.json", project);
  const variables = { PATH: process.env["PATH"], NAMED: "named-value", OTHER: "other-value" };
  return loadConfig({}, { cwd, userHome, variables });
}

test("a project's server is trusted by the hash of its entry, and one that changes is not", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("echo", { annotations: { readOnlyHint: true } })] });
  const { command, args } = raw.server;
  const entry = { command, args, trustAnnotations: true };
  const trusted = hashOf(entry);
  const isTrusted = (kind: string, name: string, hash: string): boolean =>
    kind === "mcp_server" && name === "theirs" && hash === trusted;
  const stateOf = (written: JsonObject): readonly boolean[] =>
    mcpEntries(configOf(t, {}, { mcpServers: { theirs: written } }), isTrusted).map((one) => one.isTrusted);
  assert.deepEqual(stateOf(entry), [true]);
  assert.deepEqual(stateOf({ ...entry, env: { A: "b" } }), [false]);
  const config = configOf(t, { mode: "yolo" }, { mcpServers: { theirs: entry } });
  const assembly = await assemble(config, { isTrusted });
  t.after(() => assembly.close());
  const { engine } = assembly;
  assert.equal(textOf(await engine.run(call("theirs__echo", { text: "hi" }))), "hi");
  // Whom the user believes is not for a folder's file to say.
  assert.equal(engine.get("theirs__echo")?.risk, "medium");
});

test("variables come only from those that the user's environment setting names", (t) => {
  const mcpServers = {
    good: { command: "x", args: ["${NAMED}"] },
    bad: { command: "x", args: ["${OTHER}"] },
  };
  const config = configOf(
    t,
    { environment: ["NAM*"], mcpServers },
    { mcpServers: { theirs: mcpServers.bad } },
  );
  const problems = mcpEntries(config).map(({ configured }) =>
    "problem" in configured
      ? configured.problem
      : configured.server.kind === "stdio" && configured.server.args[0],
  );
  const told = 'it uses ${OTHER}, which the setting "environment" does not name';
  assert.deepEqual(problems, ["named-value", told, told]);
});

test("tokens of a server are known secrets: one that it sends back is masked", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("env")] });
  const { command, args } = raw.server;
  const mcpServers = { raw: { command, args, env: { MY_API_KEY: "very-secret-key" } } };
  const assembly = await assemble(configOf(t, { mode: "yolo", mcpServers }));
  t.after(() => assembly.close());
  const { engine, mcp } = assembly;
  const shown = textOf(await engine.run(call("raw__env")));
  assert.ok(shown.includes("MY_API_KEY") && !shown.includes("very-secret-key"), shown);
  assert.deepEqual(mcp?.names, ["raw"]);
  assert.ok(engine.get("list_resources") !== undefined && engine.get("read_resource") !== undefined);
});

test("a disabled server is not there, and one that cannot be used is a problem; without servers there is nothing of MCP", async (t) => {
  const mcpServers = { off: { command: "x", disabled: true }, wrong: { args: ["x"] } };
  const assembly = await assemble(configOf(t, { mcpServers }));
  t.after(() => assembly.close());
  const { engine } = assembly;
  await engine.sources.settled();
  assert.deepEqual(
    engine.sources.problems().map(({ subject, reason }) => [subject, reason]),
    [["wrong", "failed"]],
  );
  const none = await assemble(configOf(t, {}));
  t.after(() => none.close());
  assert.deepEqual([none.mcp, none.engine.get("read_resource")], [undefined, undefined]);
});

test("only the user's own config accepts the changes of a server", async (t) => {
  for (const isOwn of [true, false]) {
    const raw = rawServer(t, { tools: [toolOf("echo")] });
    const { command, args } = raw.server;
    const mcpServers = { one: { command, args, acceptChanges: true } };
    const config = isOwn ? configOf(t, { mcpServers }) : configOf(t, {}, { mcpServers });
    const collections = createMemoryCollections();
    const open = async (): Promise<readonly string[]> => {
      const { sources } = mcpSources(config, { isTrusted: () => true, collections });
      const loaded = await sources[0]?.load(new AbortController().signal);
      await sources[0]?.close?.();
      return loaded?.tools.map(({ name }) => name) ?? [];
    };
    assert.deepEqual(await open(), ["one__echo"]);
    raw.plan({ tools: [toolOf("echo", { description: "Changed." })] });
    assert.deepEqual(await open(), isOwn ? ["one__echo"] : []);
  }
});

test("the trust of a project's server ends when the content of its envFile changes", (t) => {
  const entry = { command: "x", envFile: ".env" };
  const config = configOf(t, {}, { mcpServers: { theirs: entry } });
  const file = join(config.paths.workspace[0], ".env");
  writeFileSync(file, "API_KEY=first-value");
  const trusted = collectTrustItems(config).items[0]?.hash;
  const stateOf = (): unknown =>
    mcpEntries(config, (_kind, _name, hash) => hash === trusted).map(({ isTrusted, configured }) => [
      isTrusted,
      "secrets" in configured && configured.secrets[0],
    ]);
  assert.deepEqual(stateOf(), [[true, "first-value"]]);
  writeFileSync(file, "API_KEY=other-value");
  assert.deepEqual(stateOf(), [[false, "other-value"]]);
  rmSync(file);
  assert.deepEqual(stateOf(), [[false, false]]);
});

test("a project's server that is written wrongly is told once the project is trusted", async (t) => {
  const config = configOf(
    t,
    { mcpServers: { own: { command: "x" } } },
    { mcpServers: { typo: { comand: "x" }, own: {} } },
  );
  const toldOf = async (isTrusted: boolean): Promise<readonly unknown[]> => {
    const assembly = await assemble(config, { isTrusted: () => isTrusted });
    t.after(() => assembly.close());
    await assembly.engine.sources.settled();
    const problem = assembly.engine.sources.problems().find(({ subject }) => subject === "typo");
    return [assembly.warnings.length, assembly.warnings[0] ?? "", problem?.source === "mcp:typo"];
  };
  assert.deepEqual(await toldOf(false), [0, "", false]);
  const [count, warning, isServer] = await toldOf(true);
  assert.deepEqual([count, isServer], [1, true]);
  assert.match(String(warning), /the MCP server "typo" is ignored: .*did you mean "command"/);
});

test("keys that count only in the user's own config are ignored in a project's, and reported", async (t) => {
  const entry = { command: "x", autoApprove: ["*"], inherit: ["NAMED"] };
  const config = configOf(t, { mcpServers: { own: entry } }, { mcpServers: { theirs: entry } });
  const variables = mcpEntries(config).map(
    ({ configured }) =>
      "server" in configured && configured.server.kind === "stdio" && configured.server.environment["NAMED"],
  );
  assert.deepEqual(variables, ["named-value", undefined]);
  const assembly = await assemble(config);
  t.after(() => assembly.close());
  await assembly.engine.sources.settled();
  const told = assembly.engine.sources.problems().map(({ message }) => message);
  assert.equal(told.filter((one) => /autoApprove, inherit of "theirs" is ignored/.test(one)).length, 1);
  const { layers } = await readConfiguredRules(config, undefined);
  const rules = layers.flatMap((layer) => layer.rules).filter(({ source }) => source?.startsWith("mcp:"));
  const id = "mcpServers.own.autoApprove";
  assert.deepEqual(rules, [{ id, tool: ["own__*"], source: "mcp:own", decision: "allow" }]);
});

test("a tool in autoApprove runs without approval, the others do not", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("echo"), toolOf("env")] });
  const { command, args } = raw.server;
  const config = configOf(t, { mcpServers: { raw: { command, args, autoApprove: ["echo"] } } });
  const policy = createConfiguredPolicy(config, await readConfiguredRules(config, undefined));
  const assembly = await assemble(config, { policy });
  t.after(() => assembly.close());
  const { engine } = assembly;
  assert.equal(textOf(await engine.run(call("raw__echo", { text: "hi" }))), "hi");
  const refused = await engine.run(call("raw__env"));
  assert.equal(!refused.ok && refused.error.code, "DENIED");
});

test("mcpStartup is the start mode of servers that do not name one", (t) => {
  const mcpServers = { a: { command: "x" }, b: { command: "x", startup: "eager" } };
  const startups = (more: JsonObject): unknown =>
    mcpEntries(configOf(t, { mcpServers, ...more })).map(
      ({ configured }) => "startup" in configured && configured.startup,
    );
  assert.deepEqual(startups({}), ["eager", "eager"]);
  assert.deepEqual(startups({ mcpStartup: "lazy" }), ["lazy", "eager"]);
  assert.throws(() => startups({ mcpStartup: "never" }), /mcpStartup: expected one of "eager", "lazy"/);
});
