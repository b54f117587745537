import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { untilTrue } from "../../../test/support/running.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { dataOf, runTool, textOf } from "../../../test/support/engines/tool-context.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { childEnvironment } from "../../system/process/environment.ts";
import { createRunning } from "./running.ts";
import { shell } from "./shell.ts";

interface Place {
  readonly root: string;
  readonly tool: Tool;
  /** True once a bash has been started: it reads this file first. */
  readonly sawShell: () => boolean;
}

function create(context: TestContext, more: Readonly<Record<string, string>> = {}): Place {
  const root = temporaryFolder(context);
  const start = join(temporaryFolder(context), "start");
  writeFileSync(start, `echo > ${start}.canary`);
  const environment = { ...childEnvironment(process.env), HOME: root, BASH_ENV: start, ...more };
  return {
    root,
    tool: shell(createRunning({ root, environment })),
    sawShell: () => existsSync(`${start}.canary`),
  };
}

/** The tool as policy hands its command on once it was proven to be this one program. */
function proven(tool: Tool, argv: readonly string[]): Tool {
  const facts: Tool["facts"] = async (input, context) => {
    const found = (await tool.facts?.(input, context)) ?? [];
    return found.map((fact) => (fact.kind === "command" ? { ...fact, argv } : fact));
  };
  return { ...tool, facts };
}

function textFor(argv: readonly string[]): string {
  return argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

function runProven(tool: Tool, argv: readonly string[], input: JsonObject = {}): ReturnType<typeof runTool> {
  return runTool(proven(tool, argv), { command: textFor(argv), ...input });
}

function makePrograms(root: string): void {
  const make = (name: string, text: string, mode = 0o755): void =>
    writeFileSync(join(root, name), text, { mode });
  make("named", '#!/bin/sh\nprintf "%s|" "$0" "$@"\necho err >&2\nexit 3\n');
  make("nameless", '[[ -n $BASH_VERSION ]] && echo "bash $1"\nexit 4\n');
  make("refused", "#!/bin/sh\necho no\n", 0o644);
  make("lost", "#!/no/such/interpreter\n");
  make("empty", "");
  make("garbage", "\u0001\u0002\u0003\u0004");
  mkdirSync(join(root, "folder"));
}

test("a proven program is started without a shell, in the foreground and in the background", async (context) => {
  const { root, tool, sawShell } = create(context);
  makePrograms(root);
  assert.equal(dataOf(await runProven(tool, ["./named", "a"]))["exit_code"], 3);
  assert.equal(dataOf(await runProven(tool, ["ls"]))["exit_code"], 0);
  await runProven(tool, ["touch", "done"], { background: true });
  await untilTrue("it ran", () => existsSync(join(root, "done")));
  assert.equal(sawShell(), false);
  await runTool(tool, { command: "ls" });
  assert.equal(sawShell(), true);
});

const PROGRAMS: readonly (readonly string[])[] = [
  ["printf", "%s|", "", "a b", "$HOME", "*", "; echo no", "'", "\n", "é"],
  ["./named", "x y"],
  ["./nameless", "x"],
  ["./refused"],
  ["./lost"],
  ["./empty"],
  ["./garbage"],
  ["./folder"],
  ["./missing"],
  ["./named/x"],
  ["no-such-program"],
  ["/usr/bin/env", "sh", "-c", "exit 9"],
  ["sh", "-c", "kill -KILL $$"],
  ["sh", "-c", "echo out; echo err >&2"],
  ["sh", "-c", "echo $0"],
  ["cat"],
  ["cat", "/dev/stdin"],
  ["tee", "/dev/stderr"],
  ["cp", "named", "/dev/stdout"],
  ["printenv", "PWD"],
  ["pwd"],
  ["ls", "-a"],
  ["ls", "missing"],
  ["printenv", "API_TOKEN"],
];

for (const argv of PROGRAMS) {
  test(`the answer to ${argv.slice(0, 3).join(" ")} is the same without a shell`, async (context) => {
    const { root, tool } = create(context);
    makePrograms(root);
    const through = await runTool(tool, { command: textFor(argv) });
    const without = await runProven(tool, argv);
    assert.deepEqual(without.data, through.data);
    assert.equal(textOf(without), textOf(through));
  });
}

test("a program that cannot be started is reported as shells do", async (context) => {
  const { root, tool } = create(context);
  makePrograms(root);
  const codes = [
    ["no-such-program", 127],
    ["./missing", 127],
    ["./refused", 126],
    ["./folder", 126],
  ] as const;
  for (const [program, code] of codes) {
    const reply = await runProven(tool, [program]);
    assert.equal(dataOf(reply)["exit_code"], code, program);
    assert(textOf(reply).includes(program), program);
  }
});

test("a program is searched in PATH like shells do, and left to them if PATH is unusual", async (context) => {
  const first = temporaryFolder(context);
  const second = temporaryFolder(context);
  const answers = async (path: string): Promise<unknown> => {
    const { root, tool } = create(context, { PATH: path });
    writeFileSync(join(root, "prog"), "#!/bin/sh\necho here\n", { mode: 0o755 });
    const data = (await runProven(tool, ["prog"])).data;
    assert.deepEqual(data, (await runTool(tool, { command: "prog" })).data);
    return (data as JsonObject)["stdout"];
  };
  mkdirSync(join(first, "prog"));
  writeFileSync(join(second, "prog"), "#!/bin/sh\necho second\n", { mode: 0o755 });
  assert.equal(await answers(`${first}:${second}:/bin`), "second\n");
  assert.equal(await answers(`/bin::${second}`), "here\n");
  assert.equal(await answers(`.:${second}`), "here\n");
  chmodSync(join(second, "prog"), 0o644);
  assert.equal(await answers(`${second}:/bin`), "");
});

test("a program that was started is never started again, whatever fails later", async (context) => {
  const { root, tool } = create(context);
  writeFileSync(join(root, "prog"), "#!/bin/sh\necho x >> count\necho out\n", { mode: 0o755 });
  const onProgress = (): never => {
    throw new ToolError("TOOL_FAILED", "nobody listens", { details: { errno: "ENOENT" } });
  };
  await assert.rejects(runTool(proven(tool, ["./prog"]), { command: "./prog" }, { onProgress }), ToolError);
  assert.equal(readFileSync(join(root, "count"), "utf8"), "x\n");
});

test("a command line that starts with a dash is a command, not an option of the shell", async (context) => {
  const { tool } = create(context);
  for (const command of ["--version", "-x", "-c id"]) {
    const reply = await runTool(tool, { command });
    assert.equal(dataOf(reply)["exit_code"], 127, command);
    assert.equal(dataOf(reply)["stdout"], "", command);
  }
});

test("input to a terminal is a fact marked as such", async (context) => {
  const { tool } = create(context);
  const kept = await tool.facts?.({ command: "ls", terminal_id: "t" }, {
    get: () => ({ getOrCreate: () => ({ find: () => undefined }) }),
  } as never);
  assert.equal(kept?.[0]?.kind === "command" && kept[0].interactive, true);
  const fresh = await tool.facts?.({ command: "ls" }, undefined as never);
  assert.equal(fresh?.[0]?.kind === "command" && fresh[0].interactive, undefined);
});
