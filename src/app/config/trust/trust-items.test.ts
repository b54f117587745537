import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { loadConfig } from "../config.ts";
import type { Config } from "../groups.ts";
import { collectTrustItems } from "./trust-items.ts";
import type { IsTrusted } from "../files/trust.ts";

interface Place {
  readonly folder: string;
  write(name: string, content: unknown): void;
  load(isTrusted?: IsTrusted): Config;
  names(): readonly string[];
  hashOf(item: string): string | undefined;
}

function openPlace(t: TestContext, user: object = {}): Place {
  const [folder, userHome] = [temporaryFolder(t), temporaryFolder(t)];
  const put = (path: string, content: unknown): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  };
  put(join(userHome, ".toolwright/config.json"), user);
  const load = (isTrusted?: IsTrusted) => loadConfig({}, { cwd: folder, variables: {}, userHome }, isTrusted);
  const items = () => collectTrustItems(load()).items;
  return {
    folder,
    write: (name, content) => put(join(folder, name), content),
    load,
    names: () => items().map(({ kind, name }) => `${kind}:${name}`),
    hashOf: (wanted) => items().find(({ kind, name }) => `${kind}:${name}` === wanted)?.hash,
  };
}

const lint = { name: "lint", on: "after_tool", action: { type: "command", program: ["sh", "lint.sh"] } };

test("every kind of item that a folder brings is found, and nothing in a folder that brings none", (t) => {
  const place = openPlace(t);
  assert.deepEqual(place.names(), []);
  place.write(".toolwright/config.json", {
    mode: "yolo",
    roots: ["/"],
    timeoutSeconds: 10,
    store: "/elsewhere",
    hooks: [lint],
    mcpServers: { own: { command: "own" }, both: { command: "own" } },
  });
  place.write(".toolwright/policy.json", {
    mode: "yolo",
    rules: [
      { id: "tests", tool: "shell", decision: "allow" },
      { tool: "ls", decision: "allow" },
      { path: "**/.env", decision: "deny" },
    ],
  });
  place.write(".toolwright/tools/weather", "#!/bin/sh\n");
  place.write(".toolwright/extensions/one.js", "export {}");
  place.write(".toolwright/skills/release/SKILL.md", "---");
  place.write(".toolwright/skills/no-skill/notes.md", "");
  place.write(".toolwright/extensions/two/index.js", "export {}");
  place.write(".mcp.json", { mcpServers: { docs: { url: "http://localhost" }, both: { command: "file" } } });
  const unnamed = place.names().find((name) => name.startsWith("rule:allow-"));
  assert.deepEqual(place.names(), [
    "setting:mode",
    "setting:roots",
    "hook:lint",
    "rule:tests",
    unnamed,
    "rule:mode",
    "tool:weather",
    "extension:one.js",
    "extension:two",
    "skill:release",
    "mcp_server:own",
    "mcp_server:both",
    "mcp_server:docs",
  ]);
});

test("a setting needs trust only where it loosens what the user has", (t) => {
  const place = openPlace(t, { mode: "yolo" });
  place.write(".toolwright/config.json", { mode: "ask" });
  assert.deepEqual(place.names(), []);
  assert.equal(place.load().policy.mode, "ask");
});

const CHANGES: Readonly<Record<string, (place: Place) => void>> = {
  "another word in it": (place) =>
    place.write(".toolwright/config.json", { hooks: [{ ...lint, on: "before_tool" }] }),
  "another script behind it": (place) => place.write("lint.sh", "rm -rf ~"),
};

for (const [what, change] of Object.entries(CHANGES)) {
  test(`a hook is another one with ${what}, and the same with others beside it`, (t) => {
    const place = openPlace(t);
    place.write("lint.sh", "exit 0");
    place.write(".toolwright/config.json", { hooks: [lint] });
    const before = place.hashOf("hook:lint");
    place.write(".toolwright/config.json", { hooks: [{ ...lint, name: "other" }, lint] });
    assert.equal(place.hashOf("hook:lint"), before);
    change(place);
    assert.notEqual(place.hashOf("hook:lint"), before);
  });
}

test("a trusted setting holds, another value of it does not", (t) => {
  const place = openPlace(t);
  place.write(".toolwright/config.json", { mode: "yolo", environment: ["A"] });
  const hash = place.hashOf("setting:mode");
  const isTrusted: IsTrusted = (kind, name, own) => kind === "setting" && name === "mode" && own === hash;
  const config = place.load(isTrusted);
  assert.equal(config.policy.mode, "yolo");
  assert.deepEqual(config.environment.names, []);
  assert.equal(config.report.warnings.length, 1);
  place.write(".toolwright/config.json", { mode: "auto", roots: [] });
  assert.equal(place.load(isTrusted).policy.mode, "auto");
});

test("the store, the log and a tool's own risk cannot be set by a project, trusted or not", (t) => {
  const place = openPlace(t);
  place.write(".toolwright/config.json", { store: "/elsewhere", log: "debug:/tmp/x" });
  const config = place.load(() => true);
  assert.deepEqual(place.names(), []);
  assert.doesNotMatch(config.paths.store, /elsewhere/);
  assert.equal(config.log, undefined);
  assert.equal(config.report.warnings.length, 2);
});

test("a project's hooks are not among the user's", (t) => {
  const place = openPlace(t, { hooks: [{ ...lint, name: "mine" }] });
  place.write(".toolwright/config.json", { hooks: [lint] });
  const { user: hooks, project: projectHooks } = place.load(() => true).hooks;
  assert.deepEqual(
    [hooks.map(({ name }) => name), projectHooks.map(({ name }) => name)],
    [["mine"], ["lint"]],
  );
});

test("a hook of the user's whose program would be another in each folder is refused", (t) => {
  const place = openPlace(t, { hooks: [{ ...lint, action: { type: "command", program: ["./lint.sh"] } }] });
  assert.throws(() => place.load(), /hook "lint": \.\/lint\.sh is a different program in each folder/);
});

test("a broken hook is an error that names the file and the place", (t) => {
  const place = openPlace(t);
  place.write(".toolwright/config.json", { hooks: [{ ...lint, on: "before_tol" }] });
  assert.throws(
    () => place.load(),
    new RegExp(
      `${place.folder}/\\.toolwright/config\\.json:1:31: hooks\\[0\\]\\.on: expected one of .*got string "before_tol"`,
    ),
  );
});

test("a file that cannot be read is told as a problem, and the others are found", (t) => {
  const place = openPlace(t);
  place.write(".mcp.json", "{");
  mkdirSync(join(place.folder, ".toolwright/policy.json"), { recursive: true });
  place.write(".toolwright/tools/weather", "#!/bin/sh\n");
  const { items, problems } = collectTrustItems(place.load());
  assert.deepEqual(
    items.map(({ name }) => name),
    ["weather"],
  );
  assert.equal(problems.length, 2);
});

test("in the user's own home the files are the user's, and only a server beside them needs trust", (t) => {
  const home = temporaryFolder(t);
  mkdirSync(join(home, ".toolwright/tools"), { recursive: true });
  writeFileSync(join(home, ".toolwright/tools/mine"), "");
  writeFileSync(join(home, ".mcp.json"), '{"mcpServers": {"docs": {}}}');
  const config = loadConfig({}, { cwd: home, variables: {}, userHome: home });
  assert.deepEqual(
    collectTrustItems(config).items.map(({ name }) => name),
    ["docs"],
  );
});

test("a program that is a link counts with what it leads to", (t) => {
  const place = openPlace(t);
  place.write("real", "1");
  mkdirSync(join(place.folder, ".toolwright/tools"), { recursive: true });
  symlinkSync("../../real", join(place.folder, ".toolwright/tools/link"));
  const before = place.hashOf("tool:link");
  assert.equal(before?.length, 64);
  place.write("real", "2");
  assert.notEqual(place.hashOf("tool:link"), before);
});

test("a folder, a loop of links and a link to nowhere among the programs are none", (t) => {
  const place = openPlace(t);
  place.write(".toolwright/tools/folder/x", "");
  symlinkSync("loop", join(place.folder, ".toolwright/tools/loop"));
  symlinkSync("nowhere", join(place.folder, ".toolwright/tools/dangling"));
  assert.deepEqual(place.names(), []);
});
