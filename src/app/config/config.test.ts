import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { loadConfig, type ConfigFlags } from "./config.ts";
import type { Environment } from "./environment.ts";

interface Files {
  readonly user?: unknown;
  readonly project?: unknown;
  readonly variables?: Environment["variables"];
}

function environment(t: TestContext, { user, project, variables = {} }: Files = {}): Environment {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-config-")));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const [cwd, userHome] = [join(root, "work"), join(root, "home")];
  for (const folder of [cwd, userHome]) mkdirSync(join(folder, ".toolwright"), { recursive: true });
  if (user !== undefined) writeFileSync(join(userHome, ".toolwright/config.json"), JSON.stringify(user));
  if (project !== undefined) writeFileSync(join(cwd, ".toolwright/config.json"), JSON.stringify(project));
  return { cwd, userHome, variables };
}

test("without any file everything has its default", (t) => {
  const place = environment(t);
  const config = loadConfig({}, place);
  assert.deepEqual(
    [
      config.policy.mode,
      config.calls.timeoutSeconds,
      config.calls.concurrency,
      config.profile,
      config.calls.callTimeoutMs,
    ],
    ["auto", 30, 16, "default", undefined],
  );
  assert.equal(config.paths.store, join(place.userHome, ".toolwright/state"));
  assert.deepEqual(config.paths.workspace, [place.cwd]);
  assert.deepEqual(config.report.warnings, []);
  assert.ok(config.report.origins.every(({ from }) => from === "default"));
});

const TIGHTER: readonly (readonly [string, string, boolean])[] = [
  ["yolo", "auto", true],
  ["yolo", "plan", true],
  ["auto", "yolo", false],
  ["auto", "ask", true],
  ["auto", "plan", true],
  ["ask", "auto", false],
  ["ask", "plan", false],
  ["plan", "ask", false],
  ["plan", "plan", true],
];
for (const [user, project, holds] of TIGHTER) {
  test(`a project's mode ${project} ${holds ? "holds" : "is ignored"} where the user's is ${user}`, (t) => {
    const {
      policy: { mode },
      report: { warnings },
    } = loadConfig({}, environment(t, { user: { mode: user }, project: { mode: project } }));
    assert.equal(mode, holds ? project : user);
    assert.equal(warnings.length, holds ? 0 : 1);
  });
}

test("a project may shorten the deadline and lower the concurrency, never the other way", (t) => {
  const user = { timeoutSeconds: 10, concurrency: 4 };
  const tight = loadConfig({}, environment(t, { user, project: { timeoutSeconds: 5, concurrency: 2 } }));
  assert.deepEqual(
    [tight.calls.timeoutSeconds, tight.calls.concurrency, tight.report.warnings.length],
    [5, 2, 0],
  );
  const loose = loadConfig({}, environment(t, { user, project: { timeoutSeconds: 50, concurrency: 20 } }));
  assert.deepEqual(
    [loose.calls.timeoutSeconds, loose.calls.concurrency, loose.report.warnings.length],
    [10, 4, 2],
  );
});

test("each key of shell has its default, and a project switches readOnlyIsLow only off", (t) => {
  const user = { shell: { sandbox: false } };
  const without = loadConfig({}, environment(t, { user }));
  assert.deepEqual(without.policy.shell, { readOnlyIsLow: true, sandbox: false });
  const tight = loadConfig({}, environment(t, { user, project: { shell: { readOnlyIsLow: false } } }));
  assert.deepEqual(
    [tight.policy.shell, tight.report.warnings.length],
    [{ readOnlyIsLow: false, sandbox: false }, 0],
  );
  const loose = loadConfig({}, environment(t, { user: {}, project: user }));
  assert.deepEqual(
    [loose.policy.shell, loose.report.warnings.length],
    [{ readOnlyIsLow: true, sandbox: true }, 1],
  );
});

test("a project may switch groups off over the user's switches, and none on", (t) => {
  const user = { groups: { agents: true, files: true } };
  const off = loadConfig({}, environment(t, { user, project: { groups: { files: false } } }));
  assert.deepEqual(off.tools.groups, { agents: true, files: false });
  const on = loadConfig({}, environment(t, { user, project: { groups: { proxy: true } } }));
  assert.deepEqual(on.tools.groups, user.groups);
  assert.equal(on.report.warnings.length, 1);
});

const REFUSED = {
  roots: ["/"],
  environment: ["AWS_*"],
  store: "/tmp/x",
  log: "debug:/tmp/x",
  notify: ["touch", "/tmp/x"],
  theme: "none",
  vim: true,
  auth: { roles: { all: ["admin"] } },
  toolDirectories: ["/"],
  externalTools: { tool: { risk: "low" } },
  presets: { tool: { key: "x" } },
} as const;

for (const key of Object.keys(REFUSED) as (keyof typeof REFUSED)[]) {
  test(`a project has no say in ${key}`, (t) => {
    const place = environment(t, { project: { [key]: REFUSED[key] } });
    const config = loadConfig({}, place);
    assert.deepEqual(config.report.warnings.length, 1);
    assert.match(config.report.warnings[0] ?? "", new RegExp(`${key} is ignored, a project may not set it`));
    rmSync(join(place.cwd, ".toolwright/config.json"));
    const { report: _, ...groups } = loadConfig({}, place);
    assert.deepEqual({ ...groups, report: config.report }, config);
  });
}

const NOT_TOOLS: readonly (readonly [unknown, RegExp])[] = [
  [[], /config\.json:1:18: externalTools: expected object, got empty array/],
  [{ a: 1 }, /externalTools\.a: expected object, got integer 1/],
  [{ a: { risk: "none" } }, /externalTools\.a\.risk: expected one of "low", "medium", "high"/],
  [{ a: { effects: "few" } }, /externalTools\.a\.effects: expected one of "none"/],
  [{ a: { timeoutSeconds: 0 } }, /externalTools\.a\.timeoutSeconds: expected more than 0/],
  [{ a: { timeout: 5 } }, /externalTools\.a: unknown key "timeout"/],
];
for (const [externalTools, says] of NOT_TOOLS) {
  test(`externalTools cannot be ${JSON.stringify(externalTools)}`, (t) => {
    const place = environment(t, { user: { externalTools } });
    assert.throws(() => loadConfig({}, place), says);
  });
}

test("an invalid value is named with its line and column, also in a file with comments", (t) => {
  const place = environment(t, { user: {} });
  const text = '{\n  // The hooks.\n  "hooks": [\n    { "name": "a", "on": "befor_tool" },\n  ],\n}\n';
  writeFileSync(join(place.userHome, ".toolwright/config.json"), text);
  assert.throws(() => loadConfig({}, place), /config\.json:4:\d+: 2 problems:\n- hooks\[0\]/);
});

test("an invalid value that fits its schema is named with the line of its setting, the last of the same name", (t) => {
  const place = environment(t, { user: {} });
  const file = join(place.userHome, ".toolwright/config.json");
  writeFileSync(file, '{\n  "watch": ["*.ts"],\n  "watch": ["["]\n}\n');
  assert.throws(() => loadConfig({}, place), /config\.json:3:12: watch\[0\]: invalid glob "\["/);
  writeFileSync(file, '{\n  "mode": "ask",\n  "mode": "askk"\n}\n');
  assert.throws(() => loadConfig({}, place), /config\.json:3:11: mode: expected one of/);
});

test("a list that may hold a secret is named by its type", (t) => {
  const place = environment(t, { user: { mcpServers: [] } });
  assert.throws(() => loadConfig({}, place), /mcpServers: expected object, got empty array$/);
});

test("an invalid value that may be a secret is not shown", (t) => {
  const place = environment(t, { user: { presets: { tool: "hunter2" } } });
  assert.throws(
    () => loadConfig({}, place),
    /config\.json:1:20: presets\.tool: expected object, got string$/,
  );
});

test("a tool directory is where the user's home is, and one that does not exist is told", (t) => {
  const place = environment(t, { user: { toolDirectories: ["~/.toolwright", "~/nowhere"] } });
  const {
    tools: { directories: toolDirectories },
    report: { warnings },
  } = loadConfig({}, place);
  assert.deepEqual(toolDirectories, [join(place.userHome, ".toolwright"), join(place.userHome, "nowhere")]);
  assert.deepEqual(warnings, [`the tool directory ${join(place.userHome, "nowhere")} does not exist`]);
});

test("the profile external exists by itself, and the user's file may add to it", (t) => {
  const plain = loadConfig({ profile: "external" }, environment(t));
  assert.deepEqual([plain.profile, plain.policy.mode], ["external", "auto"]);
  const user = { profiles: { external: { mode: "plan" } } };
  const added = loadConfig({ profile: "external" }, environment(t, { user }));
  assert.deepEqual([added.profile, added.policy.mode], ["external", "plan"]);
});

test("a project cannot choose or define profiles", (t) => {
  const project = { profile: "loose", profiles: { loose: { mode: "yolo" } } };
  const {
    policy: { mode },
    profile,
    report: { warnings },
  } = loadConfig({}, environment(t, { project }));
  assert.deepEqual([mode, profile, warnings.length], ["auto", "default", 2]);
});

test("a project that links its file to the user's gains nothing by it", (t) => {
  const place = environment(t, { user: { roots: ["/"] } });
  symlinkSync(join(place.userHome, ".toolwright/config.json"), join(place.cwd, ".toolwright/config.json"));
  const {
    report: { warnings },
    paths: { workspace },
  } = loadConfig({}, place);
  assert.deepEqual(warnings, []);
  assert.deepEqual(workspace, [place.cwd, "/"]);
});

test("in the home folder the user's own file is not taken for a project's", (t) => {
  const place = environment(t, { user: { mode: "yolo", roots: ["/"] } });
  const {
    policy: { mode },
    report: { warnings },
  } = loadConfig({}, { ...place, cwd: place.userHome });
  assert.deepEqual([mode, warnings], ["yolo", []]);
});

test("prototype keys in a file are unknown keys and nothing more", (t) => {
  const place = environment(t);
  writeFileSync(
    join(place.userHome, ".toolwright/config.json"),
    '{"__proto__": {"mode": "yolo"}, "constructor": 1}',
  );
  const {
    policy: { mode },
    report: { warnings },
  } = loadConfig({}, place);
  assert.deepEqual([mode, warnings.length], ["auto", 2]);
});

const PATHS: readonly (readonly [string, ConfigFlags, Files, (place: Environment) => string])[] = [
  ["a relative flag begins in the current folder", { store: "kept" }, {}, ({ cwd }) => join(cwd, "kept")],
  ["~ in a flag is the user's home", { store: "~/kept" }, {}, ({ userHome }) => join(userHome, "kept")],
  [
    "a variable is read like a flag",
    {},
    { variables: { TOOLWRIGHT_STORE: "kept" } },
    ({ cwd }) => join(cwd, "kept"),
  ],
  [
    "an empty variable is not set",
    {},
    { variables: { TOOLWRIGHT_STORE: "" } },
    (place) => join(place.userHome, ".toolwright/state"),
  ],
  ["memory stays memory", { store: ":memory:" }, {}, () => ":memory:"],
  [
    "TOOLWRIGHT_HOME moves it",
    {},
    { variables: { TOOLWRIGHT_HOME: "/elsewhere" } },
    () => "/elsewhere/state",
  ],
];
for (const [what, flags, files, expected] of PATHS) {
  test(`the store: ${what}`, (t) => {
    const place = environment(t, files);
    assert.equal(loadConfig(flags, place).paths.store, expected(place));
  });
}

test("a deadline from a flag or a variable is for every call, one from a file is not", (t) => {
  assert.equal(loadConfig({ timeout: "2" }, environment(t)).calls.callTimeoutMs, 2000);
  assert.equal(
    loadConfig({}, environment(t, { variables: { TOOLWRIGHT_TIMEOUT: "3" } })).calls.callTimeoutMs,
    3000,
  );
  assert.equal(
    loadConfig({}, environment(t, { user: { timeoutSeconds: 4 } })).calls.callTimeoutMs,
    undefined,
  );
});

test("a workspace folder that does not exist is an error that says so", (t) => {
  const place = environment(t);
  rmSync(place.cwd, { recursive: true });
  assert.throws(() => loadConfig({}, place), /^ToolError: the folder .* does not exist$/);
});

test("a log goes to a level, with or without a file", (t) => {
  const at = (log: string) => loadConfig({}, environment(t, { variables: { TOOLWRIGHT_LOG: log } })).log;
  assert.deepEqual(at("info"), { level: "info" });
  assert.deepEqual(at("debug:/tmp/a:b"), { level: "debug", file: "/tmp/a:b" });
  assert.throws(() => at("loud"), /TOOLWRIGHT_LOG: expected error, info or debug.*got string "loud"/);
  assert.throws(() => at("info:"), /TOOLWRIGHT_LOG/);
});
