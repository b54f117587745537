// The examples of seed 001, "External Tool Architecture", as literally as TypeScript allows. test/flows/libexec*.test.ts has more of its programs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine, defineTool, fromFlatSchema } from "../../../src/index.ts";
import { createPlace, runCli } from "../support/cli.ts";
import { linkTo, runProgram } from "../support/libexec.ts";

const SCHEMA = {
  name: "bash",
  description: "Execute a shell command",
  parameters: {
    command: { type: "string", description: "Command to execute", required: true },
  },
  returns: {
    type: "object",
    properties: {
      stdout: { type: "string" },
      stderr: { type: "string" },
      exit_code: { type: "integer" },
    },
  },
};

test("schema transformation: the flat form becomes OpenAI's, field by field", () => {
  const read = fromFlatSchema(SCHEMA);
  assert.ok("schema" in read);
  const { name, description } = SCHEMA;
  const engine = createEngine({
    tools: [defineTool({ name, description, input: read.schema, run: () => "" })],
  });
  assert.deepEqual(engine.specs("openai"), [
    {
      type: "function",
      function: {
        name: "bash",
        description: "Execute a shell command",
        parameters: {
          type: "object",
          properties: { command: { type: "string", description: "Command to execute" } },
          required: ["command"],
        },
      },
    },
  ]);
  const empty = fromFlatSchema({ name: "now", parameters: {} });
  assert.deepEqual(empty, { schema: { type: "object", properties: {} } });
});

test("phase 1: bash --schema prints a schema, and a call by pipe returns JSON", async (t) => {
  const place = createPlace(t);
  const bash = linkTo(place, "bash");
  const schema = JSON.parse((await runProgram(place, bash, { args: ["--schema"] })).stdout) as typeof SCHEMA;
  assert.equal(schema.name, "bash");
  assert.deepEqual([schema.parameters.command.type, schema.parameters.command.required], ["string", true]);
  const run = await runProgram(place, bash, { input: '{"command":"echo hello"}' });
  const { signal: _, ...answer } = JSON.parse(run.stdout) as Record<string, unknown>;
  assert.deepEqual(answer, { stdout: "hello\n", stderr: "", exit_code: 0 });
  const broken = await runProgram(place, bash, { input: "nonsense" });
  assert.equal(typeof (JSON.parse(broken.stdout) as { error?: unknown }).error, "string");
  assert.match((await runProgram(place, bash, { input: "{}" })).stdout, /command.*missing/);
});

test("phase 4: in the profile external each of the six programs is called with the names that ikigai's models know", async (t) => {
  const place = createPlace(t);
  const run = async (tool: string, input: object): Promise<unknown> => {
    const args = ["call", tool, "--args", JSON.stringify(input), "--profile", "external", "--yes", "--json"];
    const { stdout, stderr } = await runCli(place, args);
    const result = JSON.parse(stdout || "{}") as { readonly ok?: boolean; readonly data?: unknown };
    assert.ok(result.ok, `${tool}: ${stderr}${stdout}`);
    return result.data;
  };
  await run("file_write", { file_path: "a.txt", content: "hello ikigai\n" });
  assert.match(JSON.stringify(await run("file_read", { file_path: "a.txt" })), /hello ikigai/);
  await run("file_edit", { file_path: "a.txt", old_text: "hello", new_text: "goodbye" });
  assert.match(JSON.stringify(await run("grep", { pattern: "goodbye" })), /a\.txt/);
  assert.match(JSON.stringify(await run("glob", { pattern: "*.txt" })), /a\.txt/);
  assert.match(JSON.stringify(await run("bash", { command: "cat a.txt" })), /goodbye ikigai/);
});

test("tool result format: success and failure are wrapped as in the seed", async (t) => {
  const place = createPlace(t);
  const envelope = async (command: string, ...flags: readonly string[]): Promise<Record<string, unknown>> => {
    const args = ["call", "bash", command, "--profile", "external", "--yes", "--envelope", ...flags];
    return JSON.parse((await runCli(place, args)).stdout) as Record<string, unknown>;
  };
  assert.deepEqual(await envelope("echo command output"), {
    tool_success: true,
    result: { stdout: "command output\n", stderr: "", exit_code: 0, signal: null },
  });
  const failed = await envelope("sleep 30", "--timeout", "1");
  assert.deepEqual([failed["tool_success"], failed["error_code"]], [false, "TOOL_TIMEOUT"]);
  assert.match(String(failed["error"]), /bash.*1 s/);
  for (const field of ["exit_code", "stdout", "stderr"]) assert.ok(field in failed, field);
});
