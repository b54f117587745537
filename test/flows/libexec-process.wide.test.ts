import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { fromFlatSchema } from "../../src/sources/external/flat-schema.ts";
import { createValidator } from "../../src/schema/validate.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { packageFile } from "../../src/system/package-files.ts";
import { isLong } from "../support/property-runs.ts";
import {
  createPlace,
  longCommand,
  processesWith,
  until,
  withoutProc,
  type Finished,
  type Place,
} from "./support/cli.ts";
import { PROGRAMS, runProgram, type ProgramName } from "./support/libexec.ts";

function pathOf(name: ProgramName): string {
  return join(packageFile("libexec"), name);
}

async function schemaOf(place: Place, name: ProgramName): Promise<JsonObject> {
  const { code, stdout, stderr } = await runProgram(place, pathOf(name), { args: ["--schema"] });
  assert.deepEqual([code, stderr], [0, ""]);
  return JSON.parse(stdout) as JsonObject;
}

/** The built-in tool that a program is another coat of. */
const TWINS: Readonly<Record<ProgramName, string>> = {
  bash: "shell",
  file_read: "read_file",
  file_write: "write_file",
  file_edit: "edit_file",
  glob: "glob",
  grep: "grep",
};

const BAD_ARGUMENTS = [["--nope"], ["--schema", "x"], ["a", "b"], [""]];

for (const [row, name] of PROGRAMS.entries()) {
  test(`${name} --schema is a usable flat schema, with the limits of the built-in tool`, async (t) => {
    const place = createPlace(t);
    const schema = await schemaOf(place, name);
    assert.equal(schema["name"], name);
    assert.ok(typeof schema["description"] === "string" && !/artifact|workspace/.test(schema["description"]));
    const read = fromFlatSchema(schema);
    assert.ok("schema" in read, JSON.stringify(read));
    const checked = createValidator(read.schema).check({});
    assert.ok(!checked.ok && checked.problems.length > 0 && !("unusable" in checked));
    const twin = builtInTools({ root: "/", environment: {} }).find((tool) => tool.name === TWINS[name]);
    const { properties = {}, required = [] } = twin?.input ?? {};
    assert.deepEqual(read.schema["required"], required);
    const limits = (about: unknown): unknown => {
      const { description: _, ...rest } = isObject(about) ? about : {};
      return rest;
    };
    const parameters = read.schema["properties"] as JsonObject;
    for (const [parameter, about] of Object.entries(parameters)) {
      // An empty command is refused by the schema here, and by the tool's own check there.
      if (parameter === "command") continue;
      assert.deepEqual(limits(about), limits((properties as JsonObject)[parameter]), parameter);
    }
    if (name !== "bash") assert.deepEqual(Object.keys(parameters), Object.keys(properties as JsonObject));
    assert.doesNotMatch(JSON.stringify(parameters), /workspace/);
  });

  test(`${name} --help names every parameter and --version the package's version`, async (t) => {
    const place = createPlace(t);
    const help = await runProgram(place, pathOf(name), { args: ["--help"] });
    assert.equal(help.code, 0);
    for (const parameter of Object.keys((await schemaOf(place, name))["parameters"] as JsonObject)) {
      assert.match(help.stdout, new RegExp(`^  ${parameter}[*= ]`, "m"));
    }
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string };
    const told = await runProgram(place, pathOf(name), { args: ["--version"] });
    assert.equal(told.stdout, `${version}\n`);
  });

  // Read by the same code: two programs are given each, and all in `npm run test:long`.
  for (const [column, args] of BAD_ARGUMENTS.entries()) {
    if (!isLong && (row + column) % 3 !== 0) continue;
    test(`${name} ${JSON.stringify(args)} is refused with INVALID_ARG`, async (t) => {
      const { code, stdout, stderr } = await runProgram(createPlace(t), pathOf(name), { args, input: "{}" });
      assert.deepEqual([code, stderr], [2, ""]);
      assert.equal((JSON.parse(stdout) as JsonObject)["error_code"], "INVALID_ARG");
    });
  }

  test(`${name} on a terminal prints what to do and does not wait`, async (t) => {
    const { spawn: open } = createRequire(import.meta.url)("@lydell/node-pty") as {
      readonly spawn: (
        file: string,
        args: readonly string[],
        options: object,
      ) => {
        onData(take: (text: string) => void): void;
        onExit(take: (end: { exitCode: number }) => void): void;
      };
    };
    const terminal = open(pathOf(name), [], { cwd: createPlace(t).folder, cols: 1000 });
    let shown = "";
    terminal.onData((text) => (shown += text));
    const { exitCode } = await new Promise<{ exitCode: number }>((settle) => terminal.onExit(settle));
    assert.equal(exitCode, 2);
    const { error, error_code, hint } = JSON.parse(shown) as JsonObject;
    assert.deepEqual([error, error_code], ["standard input is a terminal", "INVALID_ARG"]);
    assert.match(JSON.stringify(hint), /echo '\{.*\}' \| /);
  });
}

test("the folder of the programs is the package's libexec", () => {
  assert.equal(packageFile("libexec"), resolve("libexec"));
});

interface Started {
  readonly pid: number;
  readonly finished: Promise<Finished>;
}

function startBash(place: Place, command: string): Started {
  const child = spawn(pathOf("bash"), [], { cwd: place.folder });
  child.stdin.end(JSON.stringify({ command, timeout_seconds: 60 }));
  const shown = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (shown.stderr += text));
  const finished = new Promise<Finished>((settle) => {
    child.on("close", (code, signal) => settle({ code, signal, ...shown, durationMs: 0 }));
  });
  return { pid: child.pid ?? 0, finished };
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  test(`${signal} ends bash with everything its command started`, { skip: withoutProc }, async (t) => {
    const place = createPlace(t);
    const [first, second] = [longCommand(), longCommand()];
    const { pid, finished } = startBash(place, `echo begun; setsid ${first.command} & ${second.command}`);
    await until(
      "both run",
      () => processesWith(first.mark).length > 0 && processesWith(second.mark).length > 1,
    );
    process.kill(pid, signal);
    const { code, stdout } = await finished;
    assert.equal(code, 130);
    const { error_code, details } = JSON.parse(stdout) as JsonObject;
    assert.equal(error_code, "CANCELLED");
    assert.equal((details as JsonObject)["stdout"], "begun\n");
    assert.deepEqual([...processesWith(first.mark), ...processesWith(second.mark)], []);
  });
}

test("what a command leaves behind ends with bash", { skip: withoutProc }, async (t) => {
  const [one, two, three] = [longCommand(), longCommand(), longCommand()];
  const command = `${one.command} & nohup ${two.command} & (setsid ${three.command} &)`;
  const { code } = await startBash(createPlace(t), command).finished;
  assert.equal(code, 0);
  assert.deepEqual(
    [one, two, three].flatMap(({ mark }) => processesWith(mark)),
    [],
  );
});

test("a command that ignores TERM is killed", { skip: withoutProc }, async (t) => {
  const place = createPlace(t);
  const { command, mark } = longCommand();
  const { pid, finished } = startBash(place, `trap '' TERM; touch trapped; ${command}; ${command}`);
  await until("it runs", () => existsSync(join(place.folder, "trapped")) && processesWith(mark).length > 1);
  process.kill(pid, "SIGTERM");
  const { code } = await finished;
  assert.equal(code, 130);
  assert.deepEqual(processesWith(mark), []);
});

test("a program that waits for its input ends at once on TERM", async (t) => {
  const child = spawn(pathOf("file_read"), [], {
    cwd: createPlace(t).folder,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = new Promise<NodeJS.Signals | null>((settle) => {
    child.on("exit", (_code, signal) => settle(signal));
  });
  child.kill("SIGTERM");
  assert.equal(await ended, "SIGTERM");
});

test("a closed output pipe is not a crash", async (t) => {
  const place = createPlace(t);
  place.write("many.txt", "a line that matches\n".repeat(4999));
  const script = `echo '{"pattern":"matches"}' | "${pathOf("grep")}" | head -c 10; echo "\${PIPESTATUS[1]}"`;
  const { stdout, stderr } = await runProgram(place, "/bin/bash", { args: ["-c", script] });
  assert.deepEqual([stdout, stderr], ['{"matches"1\n', ""]);
});
