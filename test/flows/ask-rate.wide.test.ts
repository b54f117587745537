// How often a person is asked: the public everyday commands, and file calls in ten packages with a history, per mode and level.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { JsonObject } from "../../src/core/json.ts";
import { loadConfig } from "../../src/app/config/config.ts";
import { declined } from "../../src/app/host/approvals/answers.ts";
import { openHost } from "../../src/app/host/open-host.ts";
import { readJsonLines, sharedData, withoutSharedData } from "../support/files/shared-data.ts";
import { isLong } from "../support/property-runs.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { createPlace } from "./support/cli.ts";

type Call = readonly [name: string, input: JsonObject];
interface Command {
  readonly class: "reads" | "acts";
  readonly command: string;
}

const PACKAGES = "ajv diff hono marked yaml zod valibot undici linkedom fast-check".split(" ");
const skip = withoutSharedData === false ? withoutBoxes : withoutSharedData;
const commands =
  withoutSharedData === false ? (readJsonLines(sharedData("everyday-commands.jsonl")) as Command[]) : [];
const of = (kind: Command["class"]): readonly Call[] =>
  commands.filter((one) => one.class === kind).map(({ command }) => ["shell", { command }]);

/** Opens a copy of a package with a git history, and counts the questions among calls. */
async function openRepository(t: TestContext, name: string, config: JsonObject) {
  const { folder, home } = createPlace(t);
  const source = join("node_modules", name);
  for (const entry of readdirSync(source).filter((one) => one !== "node_modules"))
    cpSync(join(source, entry), join(folder, entry), { recursive: true });
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src/index.ts"), "export const a = 1;\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  writeFileSync(join(home, "config.json"), JSON.stringify(config));
  const variables = { HOME: home, TOOLWRIGHT_HOME: home, PATH: process.env["PATH"] };
  let asked = 0;
  const host = await openHost({
    need: "call",
    flags: {},
    config: loadConfig({}, { cwd: folder, variables, userHome: home }),
    warn: () => undefined,
    asksQueue: false,
    approvers: [
      {
        async ask() {
          asked += 1;
          return declined();
        },
      },
    ],
  });
  t.after(() => host.close());
  return {
    folder,
    /** Judges without running: what is asked before a call begins. */
    async judged(calls: readonly Call[]): Promise<number> {
      let count = 0;
      for (const [index, [tool, input]] of calls.entries()) {
        const call = { id: `${index}`, name: tool, input };
        const { verdict } = await host.engine.explain(call, { session: `s${index}` });
        if (verdict?.kind === "ask") count += 1;
      }
      return count;
    },
    /** Runs the calls: also what is asked while they run. */
    async ran(calls: readonly Call[]): Promise<number> {
      const before = asked;
      for (const [index, [tool, input]] of calls.entries())
        await host.engine.run({ id: `${index}`, name: tool, input }, { session: `s${index}` });
      return asked - before;
    },
  };
}

for (const { level, kind, most, runs } of [
  { level: "ask", kind: "reads", most: 5, runs: false },
  { level: "read-only", kind: "reads", most: 2, runs: true },
  { level: "workspace", kind: "acts", most: 25, runs: false },
] as const)
  test(
    `at level ${level}, of 100 commands of the class ${kind} at most ${most} are asked about`,
    { skip },
    async (t) => {
      const repository = await openRepository(t, "diff", { level });
      const all = of(kind);
      // Running them takes a sandbox each.
      const calls = runs && !isLong ? all.filter((_, index) => index % 12 === 0) : all;
      const asked = await (runs ? repository.ran(calls) : repository.judged(calls));
      t.diagnostic(`level ${level}: ${asked} of ${calls.length} ${kind}`);
      assert.ok(asked <= (most * calls.length) / 100, `${asked} of ${calls.length}`);
    },
  );

/** Returns twenty calls of file tools in a repository: sixteen read, four change. */
function fileCalls(folder: string): readonly Call[] {
  const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  const reads: readonly Call[] = Array.from({ length: 10 }, (_, index) => [
    "read_file",
    { path: files[index % files.length] ?? "" },
  ]);
  return [
    ...reads,
    ["ls", { path: "." }],
    ["ls", { path: "src" }],
    ["glob", { pattern: "**/*.ts" }],
    ["glob", { pattern: "*.json" }],
    ["grep", { pattern: "export" }],
    ["grep", { pattern: "function", path: "src" }],
    ["edit_file", { path: "src/index.ts", old_string: "= 1", new_string: "= 2" }],
    ["write_file", { path: "src/new.ts", content: "x" }],
    ["write_file", { path: "notes.md", content: "x" }],
    ["delete_file", { path: "package.json" }],
  ];
}

test(
  "of 200 file calls in ten repositories only those that change files are asked about",
  { skip: false },
  async (t) => {
    const packages = isLong ? PACKAGES : PACKAGES.slice(0, 2);
    for (const [mode, most] of [
      ["auto", 20],
      ["edits", 5],
    ] as const) {
      let [asked, total] = [0, 0];
      for (const name of packages) {
        const repository = await openRepository(t, name, { mode });
        const calls = fileCalls(repository.folder);
        asked += await repository.judged(calls);
        total += calls.length;
      }
      t.diagnostic(`mode ${mode}: ${asked} of ${total} file calls`);
      assert.ok(asked <= (most * total) / 100, `${asked} of ${total}`);
    }
  },
);
