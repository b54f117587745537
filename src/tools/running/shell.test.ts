import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runScript, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { isRunning } from "../../../test/support/programs/is-running.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { dataOf, memoryArtifacts, runTool, textOf } from "../../../test/support/engines/tool-context.ts";
import type { Progress } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Tool } from "../../core/tool.ts";
import { childEnvironment } from "../../system/process/environment.ts";
import { createRunning } from "./running.ts";
import { shell } from "./shell.ts";

function create(context: TestContext): { readonly root: string; readonly tool: Tool } {
  const root = temporaryFolder(context);
  const environment = childEnvironment({ ...process.env, API_TOKEN: "hidden", HOME: root });
  return { root, tool: shell(createRunning({ root, environment })) };
}

test("an answer has the output in order, and both streams apart", async (context) => {
  const { tool } = create(context);
  const reply = await runTool(tool, { command: "echo out; sleep 0.05; echo err >&2" });
  assert.equal(textOf(reply), "out\nerr");
  assert.deepEqual(reply.data, { stdout: "out\n", stderr: "err\n", exit_code: 0, signal: null });
});

test("a failing command is an answer that names the code or the signal", async (context) => {
  const { tool } = create(context);
  const failed = await runTool(tool, { command: "echo no; exit 3" });
  assert.equal(textOf(failed), "no\n[exit code 3]");
  assert.equal(dataOf(failed)["exit_code"], 3);
  const killed = await runTool(tool, { command: "kill -KILL $$" });
  assert.equal(textOf(killed), "[no output]\n[ended by SIGKILL]");
  assert.equal(dataOf(killed)["signal"], "SIGKILL");
});

test("it runs in the root, or in the folder that was judged", async (context) => {
  const { root, tool } = create(context);
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "link"));
  assert.equal(textOf(await runTool(tool, { command: "pwd -P" })), root);
  assert.equal(textOf(await runTool(tool, { command: "pwd -P", cwd: "link" })), join(root, "real"));
  assert.equal(textOf(await runTool(tool, { command: "pwd", cwd: "link" })), join(root, "real"));
});

test("a folder that is missing, a file, or swapped after the check runs nothing", async (context) => {
  const { root, tool } = create(context);
  writeFileSync(join(root, "file"), "");
  mkdirSync(join(root, "folder"));
  mkdirSync(join(root, "evil"));
  const command = `: > ${join(root, "ran")}`;
  const swap = (): void => {
    renameSync(join(root, "folder"), join(root, "moved"));
    symlinkSync("evil", join(root, "folder"));
  };
  await assert.rejects(runTool(tool, { command, cwd: "missing" }), /no such file or folder/);
  await assert.rejects(runTool(tool, { command, cwd: "file" }), /is not a folder/);
  await assert.rejects(runTool(tool, { command, cwd: "folder" }, { beforeRun: swap }), ToolError);
  assert.equal(existsSync(join(root, "ran")), false);
});

test("facts are the command with its canonical folder, and the folder itself", async (context) => {
  const { root, tool } = create(context);
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "link"));
  const facts = (await tool.facts?.({ command: "ls", cwd: "link" }, undefined as never)) ?? [];
  assert.deepEqual(facts[0], { kind: "command", text: "ls", cwd: join(root, "real") });
  assert.equal(facts[1]?.kind === "path" && facts[1].path, join(root, "real"));
});

test("the input decides the limits", (context) => {
  const { tool } = create(context);
  const limits = tool.limitsOf?.({ command: "x", timeout_seconds: 5, idle_timeout_seconds: 2 });
  assert.equal(limits?.timeoutMs, 5000);
  assert.equal(limits.idleTimeoutMs, 2000);
  assert((limits.graceMs ?? 0) > 1000);
});

test("secrets of the environment do not reach the command", async (context) => {
  const { root, tool } = create(context);
  const text = textOf(await runTool(tool, { command: "env; cat /proc/$$/environ" }));
  assert(text.includes(`HOME=${root}`));
  assert.equal(text.includes("API_TOKEN"), false);
});

test("output is reported while the command runs", async (context) => {
  const { root, tool } = create(context);
  const told: Progress[] = [];
  const gate = join(root, "gate");
  await runTool(
    tool,
    { command: `echo first; while [ ! -e ${gate} ]; do sleep 0.01; done; echo second >&2` },
    {
      onProgress(progress) {
        told.push(progress);
        writeFileSync(gate, "");
      },
    },
  );
  assert.deepEqual(told, [
    { stream: "stdout", text: "first\n" },
    { stream: "stderr", text: "second\n" },
  ]);
});

test("a command can open its own output by name", async (context) => {
  const { tool } = create(context);
  const reply = await runTool(tool, {
    command: "echo err > /dev/stderr; echo both | tee /dev/stderr; exit 4",
  });
  assert.deepEqual(reply.data, { stdout: "both\n", stderr: "err\nboth\n", exit_code: 4, signal: null });
});

test("long output shows its end, and the whole is an artifact", async (context) => {
  const { tool } = create(context);
  const artifacts = memoryArtifacts();
  const reply = await runTool(tool, { command: "seq 1 20000; exit 1" }, { artifacts });
  const text = textOf(reply);
  assert.match(
    text,
    /^\[truncated: the last \d+ of 108894 characters; read_artifact id=artifact-1 reads the whole\]\n/,
  );
  assert(text.endsWith("\n20000\n[exit code 1]"));
  assert(Buffer.byteLength(text) < 6 * 1024);
  assert.deepEqual(reply.truncated, { shape: "log", total: 108_894, artifactId: "artifact-1" });
  assert(JSON.stringify(dataOf(reply)["stdout"]).length < 6 * 1024);
  assert.equal(artifacts.texts.get("artifact-1"), execFileSync("seq", ["1", "20000"], { encoding: "utf8" }));
  const without = textOf(await runTool(tool, { command: "seq 1 20000" }));
  assert.match(without, /^\[truncated: .*the rest was not stored\]/);
});

test("a command that reaches a limit is told the options that set them", async (context) => {
  const { tool } = create(context);
  for (const [code, expected] of [
    ["TOOL_TIMEOUT", /timeout_seconds.*idle_timeout_seconds.*background=true/],
    ["CANCELLED", /^$/],
  ] as const) {
    const controller = new AbortController();
    const onProgress = () => controller.abort(new ToolError(code, "ended"));
    const options = { signal: controller.signal, onProgress };
    await assert.rejects(runTool(tool, { command: "echo x; exec sleep 60" }, options), (error) => {
      assert(error instanceof ToolError);
      assert.equal(error.code, code);
      assert.match(error.hint ?? "", expected);
      return true;
    });
  }
});

test("an aborted call throws the reason with the output so far, and leaves no process", async (context) => {
  const { tool } = create(context);
  const controller = new AbortController();
  let printed = "";
  const command = "trap '' TERM; echo $$; (trap '' TERM; sleep 60; sleep 60) & echo $!; sleep 60; sleep 60";
  const running = runTool(
    tool,
    { command },
    {
      signal: controller.signal,
      onProgress(progress) {
        if (typeof progress === "object" && "stream" in progress) printed += progress.text;
        if (printed.split("\n").length === 3) {
          controller.abort(new ToolError("TOOL_TIMEOUT", "too long", { hint: "less", details: { a: 1 } }));
        }
      },
    },
  );
  await assert.rejects(running, (error) => {
    assert(error instanceof ToolError);
    assert.equal(error.code, "TOOL_TIMEOUT");
    assert.equal(error.message, "too long");
    assert.equal(error.hint, "less");
    assert.deepEqual(error.details, {
      a: 1,
      stdout: printed,
      stderr: "",
      exit_code: null,
      signal: "SIGKILL",
    });
    return true;
  });
  for (const pid of printed.trim().split("\n")) assert.equal(isRunning(Number(pid)), false, pid);
});

test("a daemon on the pipe does not hold up the answer, ends, and the answer says so", async (context) => {
  const { tool } = create(context);
  const reply = await runTool(tool, { command: "sleep 60 & echo $!" });
  const { stdout, exit_code: exitCode } = dataOf(reply);
  assert.equal(exitCode, 0);
  assert.equal(isRunning(Number(stdout)), false);
  assert.match(textOf(reply), /^\d+\n\[a process that it left running was ended; background: true .*\]$/);
});

test("128 MB of output grows memory by less than 64 MB", () => {
  const script = `
    const { runningTools } = await import(${JSON.stringify(sourceUrl("src/tools/running/family.ts"))});
    const { runTool } = await import(${JSON.stringify(sourceUrl("test/support/engines/tool-context.ts"))});
    const artifacts = { create: () => ({ id: "a", write: () => new Promise((done) => setImmediate(done)), close: async () => ({}) }) };
    const [tool] = runningTools({ root: "/", environment: { PATH: process.env.PATH } });
    await runTool(tool, { command: "echo warm; seq 1 20000" }, { artifacts });
    const before = process.resourceUsage().maxRSS;
    const command = "head -c 128M /dev/zero | tr '\\\\0' a; echo; echo end";
    const reply = await runTool(tool, { command }, { artifacts });
    const grownMb = (process.resourceUsage().maxRSS - before) / 1024;
    console.log(JSON.stringify({ grownMb, total: reply.truncated.total, end: reply.data.stdout.slice(-5) }));
  `;
  const { stdout, stderr } = runScript(script);
  const { grownMb, total, end } = JSON.parse(stdout || stderr) as {
    grownMb: number;
    total: number;
    end: string;
  };
  assert.equal(total, 128 * 1024 ** 2 + 5);
  assert.equal(end, "\nend\n");
  assert(grownMb < 64, `grew by ${grownMb} MB`);
});

/** The tool as policy would hand its command on once it was proven to be plain. */
function proven(tool: Tool, argv: readonly string[]): Tool {
  const facts: Tool["facts"] = async (input, context) => {
    const found = (await tool.facts?.(input, context)) ?? [];
    return found.map((fact) => (fact.kind === "command" ? { ...fact, argv } : fact));
  };
  return { ...tool, facts };
}

test("a command that is proven to be one plain program is started without a shell", async (context) => {
  const { tool } = create(context);
  const plain = proven(tool, ["printf", "%s|", "$HOME", "*", "a b", "; echo no"]);
  assert.equal(textOf(await runTool(plain, { command: "unused" })), "$HOME|*|a b|; echo no|");
  const child = proven(tool, ["sh", "-c", "echo $PPID; exit 3"]);
  assert.equal(textOf(await runTool(child, { command: "unused" })), `${process.pid}\n[exit code 3]`);
});

test("a proven command that is no program is the shell's own, or named by it as missing", async (context) => {
  const { tool } = create(context);
  const own = await runTool(proven(tool, ["ulimit", "-c"]), { command: "ulimit -c" });
  assert.equal(dataOf(own)["exit_code"], 0);
  const missing = await runTool(proven(tool, ["no-such-program"]), { command: "no-such-program" });
  assert.equal(dataOf(missing)["exit_code"], 127);
  assert.match(textOf(missing), /no-such-program.*not found/);
});
