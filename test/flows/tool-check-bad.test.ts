import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createPlace, longCommand, processesWith, withoutProc } from "./support/cli.ts";
import { ARGS, echoTool, READS, SCHEMA, type Parts } from "./support/echo-tool.ts";
import { checkProgram, writeProgram } from "./support/tools.ts";

/** What is wrong, the check that must fail, and what its line must say. */
const BAD: Readonly<
  Record<
    string,
    { readonly parts: Parts; readonly fails: string; readonly says: RegExp; readonly calls?: true }
  >
> = {
  "hangs when it is asked for its schema": {
    parts: { first: "exec sleep 30" },
    fails: "schema",
    says: /no answer to --schema within [\d.]+ s/,
  },
  "waits for its input before it gives its schema": {
    parts: { first: "cat >/dev/null" },
    fails: "schema.input",
    says: /waits for standard input/,
  },
  "prints two values for its schema": {
    parts: { schema: `${SCHEMA}\n${SCHEMA}` },
    fails: "schema",
    says: /printed 2 JSON values/,
  },
  "crashes when it is asked for its schema": {
    parts: { first: "echo oh no >&2; exit 7" },
    fails: "schema",
    says: /exit code 7, printing: "oh no"/,
  },
  "prints no JSON for its schema": { parts: { schema: "usage: echo" }, fails: "schema", says: /not JSON/ },
  "prints over 1 MB for its schema": {
    parts: { first: "exec cat /dev/zero" },
    fails: "schema",
    says: /over 1 MB/,
  },
  "has a list for a schema": { parts: { schema: "[]" }, fails: "schema", says: /not a JSON object/ },
  "has no name": { parts: { schema: '{"description": "x"}' }, fails: "schema.name", says: /no name/ },
  "has a name with a slash": {
    parts: { schema: '{"name": "../x", "description": "x"}' },
    fails: "schema.name",
    says: /"\.\.\/x" is not a valid tool name/,
  },
  "has no description": {
    parts: { schema: '{"name": "x"}' },
    fails: "schema.description",
    says: /no description/,
  },
  "has parameters of another form": {
    parts: { schema: '{"name": "x", "description": "x", "parameters": ["text"]}' },
    fails: "schema.parameters",
    says: /must be an object, not a list/,
  },
  "has parameters that cannot be checked": {
    parts: { schema: '{"name": "x", "description": "x", "parameters": {"text": {"type": "texxt"}}}' },
    fails: "schema.parameters",
    says: /unusable/,
  },
  "asks for less than no time": {
    parts: { schema: '{"name": "x", "description": "x", "timeout_seconds": -1}' },
    fails: "schema.timeout_seconds",
    says: /not a number above 0/,
  },
  "has an alias of no parameter": {
    parts: {
      schema:
        '{"name": "x", "description": "x", "parameters": {"text": {"type": "string"}}, "parameter_aliases": {"txt": "test"}}',
    },
    fails: "schema.reading",
    says: /txt stands for test, which is no parameter/,
  },
  "has aliases in a list": {
    parts: { schema: '{"name": "x", "description": "x", "parameter_aliases": ["txt"]}' },
    fails: "schema.reading",
    says: /parameter_aliases/,
  },
  "has a misspelt key": {
    parts: { schema: '{"name": "x", "description": "x", "parameter_alias": {"txt": "text"}}' },
    fails: "schema.reading",
    says: /"parameter_alias" has no effect/,
  },
  "prints two values": {
    parts: { answers: "echo 1; echo 2" },
    fails: "call",
    says: /printed 2 JSON values/,
    calls: true,
  },
  "prints without end": {
    parts: { answers: "exec cat /dev/zero" },
    fails: "call",
    says: /printed over 1 MB/,
    calls: true,
  },
  "prints nothing": { parts: { answers: ":" }, fails: "call", says: /printed nothing/, calls: true },
  "fails a good call": {
    parts: { answers: `echo '{"error": "no"}'` },
    fails: "call",
    says: /the call failed: no/,
    calls: true,
  },
  "crashes in a good call": {
    parts: { answers: "echo 1; exit 3" },
    fails: "call",
    says: /exit code 3/,
    calls: true,
  },
  "ignores TERM": {
    parts: { reads: `trap "" TERM; ${READS}` },
    fails: "term",
    says: /TERM did not end it within 1 s/,
  },
  "waits for a person on the terminal": {
    parts: {
      reads: READS.replace(
        "input=$(cat)",
        "input=$(cat); [ ! -t 9 ] 9</dev/tty 2>/dev/null || read answer </dev/tty 2>/dev/null",
      ),
    },
    fails: "terminal",
    says: /waits for the terminal/,
  },
};

// Several at a time: a check mostly waits for the time limits of the contract.
void suite("tool check", { concurrency: 3 }, () => {
  for (const [what, { parts, fails, says, calls }] of Object.entries(BAD)) {
    test(`a tool that ${what} fails the check ${fails}`, async (t) => {
      const place = createPlace(t);
      const path = writeProgram(place, "bad.sh", echoTool(parts));
      const { code, ok, checks, failed } = await checkProgram(place, path, calls && ARGS);
      assert.deepEqual([code, ok], [1, false]);
      assert.ok(failed.includes(fails), JSON.stringify(checks));
      if (fails !== "terminal") assert.ok(!failed.includes("terminal"));
      const { message = "", fix } = checks.find(({ check }) => check === fails) ?? {};
      assert.match(message, says);
      assert.ok(fix !== undefined && fix !== "");
    });
  }

  for (const [how, start] of [
    ["in the background", (command: string) => `${command} >/dev/null 2>&1 &`],
    ["in a session of its own", (command: string) => `setsid ${command} >/dev/null 2>&1 &`],
    ["that keeps the pipe", (command: string) => `setsid ${command} &`],
  ] as const) {
    test(`a process left ${how} is found and ended`, { skip: withoutProc }, async (t) => {
      const place = createPlace(t);
      const { command, mark } = longCommand();
      const path = writeProgram(place, "daemon.sh", echoTool({ answers: `${start(command)}\necho 1` }));
      const { code, checks, failed } = await checkProgram(place, path, ARGS);
      assert.deepEqual([code, failed], [1, ["processes"]]);
      assert.match(checks.at(-1)?.message ?? "", new RegExp(mark));
      assert.deepEqual(processesWith(mark), []);
    });
  }

  test(
    "a process that every run leaves, also the one on a terminal, is ended",
    { skip: withoutProc },
    async (t) => {
      const place = createPlace(t);
      const { command, mark } = longCommand();
      const text = echoTool({}).replace("\n", `\nsetsid ${command} >/dev/null 2>&1 &\n`);
      const { failed } = await checkProgram(place, writeProgram(place, "daemon.sh", text), ARGS);
      assert.deepEqual(failed, ["processes"]);
      assert.deepEqual(processesWith(mark), []);
    },
  );
});
