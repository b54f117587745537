import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Progress } from "../../core/context.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import { toEnvelope } from "../../engine/answer/envelope.ts";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { isRunning } from "../../../test/support/programs/is-running.ts";
import { externalEngine, schemaOf, shellTool } from "../../../test/support/programs/programs.ts";
import { untilTrue } from "../../../test/support/running.ts";

/** Runs one tool with this body once. */
async function runBody(
  t: TestContext,
  body: string,
  input: unknown = {},
  schema: JsonObject = {},
): Promise<ToolResult> {
  const { engine } = await externalEngine(t, { tool: shellTool(schemaOf("tool", schema), body) });
  return engine.run(call("tool", input));
}

function detailsOf(result: ToolResult): JsonObject {
  return (result.ok ? undefined : result.error.details) ?? {};
}

test("a program receives its input as JSON, and the JSON value it prints is the answer", async (t) => {
  const result = await runBody(t, `printf '{"got": '; cat; printf '}'`, { a: [1, "ü"] });
  assert.ok(result.ok);
  assert.deepEqual(result.data, { got: { a: [1, "ü"] } });
  assert.deepEqual(toEnvelope(result), { tool_success: true, result: { got: { a: [1, "ü"] } } });
});

for (const value of ["null", "true", "17", "[1, 2]", '"text"'])
  test(`${value} is an answer`, async (t) => {
    const result = await runBody(t, `echo '${value}'`);
    assert.ok(result.ok);
    assert.equal(textOf(result), value === '"text"' ? "text" : JSON.stringify(JSON.parse(value)));
  });

const FAULTY: Readonly<Record<string, readonly [string, RegExp]>> = {
  "two values": [`echo '{"a": 1}'; echo '{"b": 2}'`, /printed more than one JSON value/],
  nothing: ["cat > /dev/null", /printed nothing/],
  "only standard error": ["echo oops >&2", /printed nothing/],
  "no JSON": ["echo hello", /not JSON/],
  "JSON that is cut off": [`printf '{"a": '`, /not JSON/],
};
for (const [what, [body, message]] of Object.entries(FAULTY))
  test(`${what} at exit code 0 is INVALID_OUTPUT`, async (t) => {
    const result = await runBody(t, body);
    assert.equal(codeOf(result), "INVALID_OUTPUT");
    assert.match(textOf(result), message);
    const { exit_code, stderr } = detailsOf(result);
    assert.deepEqual([exit_code, stderr], [0, what === "only standard error" ? "oops\n" : ""]);
  });

test("an exit code other than 0 is TOOL_CRASHED, with the code and the output", async (t) => {
  const result = await runBody(t, `echo '{"half": 1}'; echo why >&2; exit 7`);
  assert.equal(codeOf(result), "TOOL_CRASHED");
  assert.deepEqual(toEnvelope(result), {
    tool_success: false,
    error: '"tool" ended with exit code 7',
    tool: "tool",
    error_code: "TOOL_CRASHED",
    exit_code: 7,
    stdout: '{"half": 1}\n',
    stderr: "why\n",
  });
  assert.match(textOf(result), /exit code: 7\nstdout:\n\{"half": 1\}\n\nstderr:\nwhy/);
});

test("a signal is TOOL_CRASHED too", async (t) => {
  const result = await runBody(t, "kill -SEGV $$");
  assert.equal(codeOf(result), "TOOL_CRASHED");
  assert.deepEqual([detailsOf(result)["signal"], detailsOf(result)["exit_code"]], ["SIGSEGV", null]);
});

test("an error that a program reports is the failure, and takes precedence over its exit code", async (t) => {
  const body = `echo trace >&2; echo '{"error": "no such city", "error_code": "NO_CITY", "city": "Oz"}'; exit 3`;
  const result = await runBody(t, body);
  assert.equal(codeOf(result), "TOOL_FAILED");
  assert.deepEqual(detailsOf(result), { city: "Oz", toolCode: "NO_CITY", exit_code: 3, stderr: "trace\n" });
  const { error, error_code, exit_code } = toEnvelope(result);
  assert.deepEqual([error, error_code, exit_code], ["no such city", "NO_CITY", 3]);
});

for (const code of ["MISSING_CREDENTIALS", "UNAUTHORIZED", "INVALID_INPUT"])
  test(`a program's own ${code} is the failure's code`, async (t) => {
    const body = `echo '{"error": "set API_KEY", "error_code": "${code}", "hint": "see the docs"}'`;
    const result = await runBody(t, body);
    assert.equal(codeOf(result), code);
    assert.match(textOf(result), /^Error: set API_KEY\nsee the docs/);
    assert.equal(detailsOf(result)["toolCode"], code);
  });

test("a program without its credential is told which variables it has, unless it says so itself", async (t) => {
  const hintOf = async (hint: string): Promise<string | undefined> => {
    const error = JSON.stringify({ error: "set API_KEY", error_code: "MISSING_CREDENTIALS", hint });
    const result = await runBody(t, `echo '${error}'`);
    return result.ok ? undefined : result.error.hint;
  };
  const note = 'a program has only the variables that "environment" in the config names';
  assert.equal(await hintOf("export API_KEY"), `export API_KEY; ${note}`);
  assert.equal(await hintOf(""), note);
  assert.equal(await hintOf('add it to "environment"'), 'add it to "environment"');
});

for (const value of ['{"error": ""}', '{"error": null}', '{"error": {"a": 1}}', '[{"error": "x"}]'])
  test(`${value} is a success`, async (t) => {
    assert.equal(codeOf(await runBody(t, `echo '${value}'`)), "ok");
  });

test("standard error is not shown after a success", async (t) => {
  const result = await runBody(t, `echo debug >&2; echo '{"ok": true}'`);
  assert.equal(textOf(result), '{"ok":true}');
});

test("a program that fills standard error before it reads or answers does not block", async (t) => {
  const body = `head -c 3000000 /dev/zero | tr '\\0' x >&2; cat > /dev/null; echo '{"ok": true}'`;
  const result = await runBody(t, body, { text: "y".repeat(1_000_000) });
  assert.equal(textOf(result), '{"ok":true}');
});

test("a program that never reads its input still answers", async (t) => {
  const result = await runBody(t, `echo '{"ok": true}'`, { text: "y".repeat(3_000_000) });
  assert.equal(textOf(result), '{"ok":true}');
});

test("10 MB of input arrive complete", async (t) => {
  const result = await runBody(t, "wc -c", { text: "y".repeat(10_000_000) });
  assert.equal(textOf(result), String(10_000_000 + '{"text":""}'.length));
});

test("an answer of 50 MB is accepted and truncated", async (t) => {
  const body = `printf '"'; head -c 50000000 /dev/zero | tr '\\0' x; printf '"'`;
  const result = await runBody(t, body);
  assert.ok(result.ok, textOf(result).slice(0, 200));
  assert.ok(textOf(result).length < 20_000);
  assert.ok((result.meta.truncated?.total ?? 0) >= 50_000_000);
});

test("a program that prints without end is ended with an error", async (t) => {
  const result = await runBody(t, `printf '"'; exec tr '\\0' x < /dev/zero`);
  assert.equal(codeOf(result), "INVALID_OUTPUT");
  assert.match(textOf(result), /printed more than 64 MB/);
});

test("a program that ignores TERM is killed at its deadline, with its output so far", async (t) => {
  const { engine, root } = await externalEngine(t, {
    stubborn: shellTool(
      schemaOf("stubborn", { timeout_seconds: 0.3 }),
      `trap '' TERM; echo $$ > pid; echo partial; echo why >&2; while :; do sleep 0.1; done`,
    ),
  });
  const result = await engine.run(call("stubborn"));
  assert.equal(codeOf(result), "TOOL_TIMEOUT");
  const { stdout, stderr } = detailsOf(result);
  assert.deepEqual([stdout, stderr], ["partial\n", "why\n"]);
  assert.deepEqual(toEnvelope(result)["exit_code"], null);
  assert.equal(isRunning(Number(readFileSync(join(root, "pid"), "utf8"))), false);
});

test("a cancelled call ends the program and its child processes", async (t) => {
  const { engine, root } = await externalEngine(t, {
    long: shellTool(schemaOf("long"), "sleep 60 & echo $! > pid; echo $$ > own; wait"),
  });
  const cancel = new AbortController();
  const running = engine.run(call("long"), { signal: cancel.signal });
  await untilTrue("it runs", () => existsSync(join(root, "own")));
  cancel.abort();
  assert.equal(codeOf(await running), "CANCELLED");
  for (const file of ["pid", "own"])
    assert.equal(isRunning(Number(readFileSync(join(root, file), "utf8"))), false, file);
});

test("a daemon that keeps the pipes open does not delay the answer", async (t) => {
  const { engine, root } = await externalEngine(t, {
    fork: shellTool(schemaOf("fork"), `sleep 30 & echo $! > pid; echo '{"ok": true}'`),
  });
  const startedAt = performance.now();
  assert.equal(textOf(await engine.run(call("fork"))), '{"ok":true}');
  assert.ok(performance.now() - startedAt < 10_000);
  process.kill(Number(readFileSync(join(root, "pid"), "utf8")));
});

test("progress on standard error is emitted and removed from the text, also in several chunks", async (t) => {
  const { engine } = await externalEngine(t, {
    steps: shellTool(
      schemaOf("steps"),
      `printf 'one\\n{"prog' >&2; sleep 0.05; printf 'ress": "half"}\\ntwo\\n' >&2
       echo '{"progress": 3, "total": 4}' >&2; echo '{"progress": {"message": "m", "done": 4}}' >&2
       echo '{"other": 1}' >&2; exit 1`,
    ),
  });
  const progress: Progress[] = [];
  engine.on((event) => event.type === "call.progressed" && progress.push(event.progress));
  const result = await engine.run(call("steps"));
  assert.deepEqual(progress, ["half", { done: 3, total: 4 }, { message: "m", done: 4 }]);
  assert.equal(detailsOf(result)["stderr"], 'one\ntwo\n{"other": 1}\n');
});

test("a program sees the variables it is given and no others", async (t) => {
  const text = shellTool(schemaOf("env"), `env | sed 's/=.*//' | sort | tr '\\n' ' ' | sed 's/.*/"&"/'`);
  const environment = { PATH: process.env["PATH"] ?? "", TOKEN_FOR_IT: "x" };
  const { engine } = await externalEngine(t, { env: text }, { environment });
  const names = textOf(await engine.run(call("env"))).split(" ");
  assert.ok(names.includes("TOKEN_FOR_IT"));
  assert.deepEqual(
    names.filter(
      (name) =>
        !["PATH", "TOKEN_FOR_IT", "TOOLWRIGHT_CALL", "PWD", "SHLVL", "_", "OLDPWD", ""].includes(name),
    ),
    [],
  );
});

test("a program runs in the workspace, in its own process group", async (t) => {
  const body = `printf '["%s", %s, %s]' "$PWD" $$ "$(ps -o pgid= -p $$ | tr -d ' ')"`;
  const { engine, root } = await externalEngine(t, { where: shellTool(schemaOf("where"), body) });
  const result = await engine.run(call("where"));
  assert.ok(result.ok);
  const [folder, pid, group] = result.data as unknown as readonly unknown[];
  assert.equal(folder, root);
  assert.equal(pid, group);
});

test("a program that has changed since its schema was read is not run until the tools are refreshed", async (t) => {
  const { engine, tools } = await externalEngine(t, { tool: shellTool(schemaOf("tool"), "echo 1") });
  assert.equal(textOf(await engine.run(call("tool"))), "1");
  writeFileSync(join(tools, "tool"), shellTool(schemaOf("tool"), "echo 22"));
  const refused = await engine.run(call("tool"));
  assert.equal(codeOf(refused), "UNAVAILABLE");
  assert.match(textOf(refused), /has changed/);
  await engine.sources.refresh();
  assert.equal(textOf(await engine.run(call("tool"))), "22");
});

test("an answer that does not fit the declared output is INVALID_OUTPUT, and returns is only documentation", async (t) => {
  const schema = { type: "object", required: ["a"] };
  assert.equal(codeOf(await runBody(t, "echo '{}'", {}, { output: schema })), "INVALID_OUTPUT");
  assert.equal(codeOf(await runBody(t, "echo '{}'", {}, { returns: schema })), "ok");
});
