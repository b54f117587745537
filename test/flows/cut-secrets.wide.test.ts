import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createEngine } from "../../src/app/host/create-engine.ts";
import { Reply, type Shape } from "../../src/core/content.ts";
import { ToolError } from "../../src/core/errors.ts";
import type { EngineEvent } from "../../src/core/events.ts";
import type { Json } from "../../src/core/json.ts";
import type { Artifacts } from "../../src/core/store/artifacts.ts";
import type { Tool, ToolOutput } from "../../src/core/tool.ts";
import type { ToolContext } from "../../src/core/context.ts";
import { defineTool } from "../../src/schema/define/define-tool.ts";
import { object } from "../../src/schema/define/schema.ts";
import { createCommandSource, createExternalSource } from "../../src/sources/external/source.ts";
import { createMcpSource } from "../../src/sources/mcp/source.ts";
import { createMemoryArtifacts, createMemoryJournal } from "../../src/store/in-memory.ts";
import { childEnvironment } from "../../src/system/process/environment.ts";
import { fileTools } from "../../src/tools/files/family.ts";
import { pythonAction } from "../../src/tools/python/python-action.ts";
import { runningTools } from "../../src/tools/running/family.ts";
import { call } from "../support/engines/engine.ts";
import { isLong } from "../support/property-runs.ts";
import { writeProgram } from "../support/programs/programs.ts";
import { rawServer, toolOf, until } from "../support/servers/mcp.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const KNOWN = "correct horse battery staple 7712";
const BODY = "Zk3Qw9Rt7Yp2Ls8Vd4Nf6Hj1Bc5Xm0Ga";

/** Texts that have a secret nearly everywhere, so that each cut falls into one, or between one and its name. */
const SECRETS: Readonly<Record<string, { readonly one: string; readonly secret: string }>> = {
  "a token": { one: `ghp_${BODY}abcd `, secret: `${BODY}abcd` },
  "a named value": { one: `API_KEY=${BODY} `, secret: BODY },
  "a known value with spaces": { one: `${KNOWN} `, secret: KNOWN },
  "a token in JSON": { one: `{"a":"ghp_${BODY}abcd"},`, secret: `${BODY}abcd` },
};

type Inputs = readonly (readonly [name: string, input: Readonly<Record<string, Json>>])[];

/** Calls whose answers are cut by the engine, by the tool, or by both; a background process is viewed until it has ended. */
const CALLS: Inputs = [
  ["text_text", {}],
  ["text_log", {}],
  ["text_list", {}],
  ["text_matches", {}],
  ["json_text", {}],
  ["json_log", {}],
  ["items_text", {}],
  ["items_list", {}],
  ["reply_text", {}],
  ["reply_log", {}],
  ["throws_text", {}],
  ["stops_log", {}],
  ["shell", { command: "cat long.txt" }],
  ["shell", { command: "cat long.txt >&2; exit 3" }],
  ["shell", { command: "cat long.txt; sleep 60", timeout_seconds: 1 }],
  ["shell", { command: "cat long.txt", terminal_id: "one" }],
  ["shell", { command: "cat long.txt; echo ended", background: true }],
  ["view_background_processes", { id: "bg1" }],
  ["view_background_processes", { id: "bg1", mode: "lines" }],
  ["view_background_processes", { id: "bg1", mode: "since_last" }],
  ["python_action", { action: "new_session", session_id: "p" }],
  ["python_action", { action: "execute", session_id: "p", code: "print(open('long.txt').read())" }],
  ["read_file", { path: "long.txt" }],
  ["read_file", { path: "many.txt" }],
  ["read_many_files", { paths: ["long.txt", "many.txt"] }],
  ["grep", { pattern: "a", path: "many.txt" }],
  ["declared", {}],
  ["declared_failure", {}],
  ["program", {}],
  ["raw__answer", {}],
];

function returning(name: string, shape: Shape, run: (context: ToolContext) => ToolOutput): Tool {
  return defineTool({
    name: `${name}_${shape}`,
    description: "t",
    input: object({}),
    limits: { shape },
    run: (_input, context) => run(context),
  });
}

function ownTools(text: string): readonly Tool[] {
  const json = { list: [text], matches: [{ text }] };
  return [
    ...(["text", "log", "list", "matches"] as const).map((shape) => returning("text", shape, () => text)),
    ...(["text", "log"] as const).map((shape) => returning("json", shape, () => json)),
    ...(["text", "list"] as const).map((shape) =>
      returning("items", shape, () => new Reply("", { items: [text, text, "last"] })),
    ),
    ...(["text", "log"] as const).map((shape) =>
      returning("reply", shape, () => new Reply(text, { data: json })),
    ),
    returning("throws", "text", () => {
      throw new ToolError("TOOL_FAILED", text, { hint: text, details: json });
    }),
    defineTool({
      name: "stops_log",
      description: "t",
      input: object({}),
      limits: { shape: "log", timeoutMs: 100 },
      async run(_input, context) {
        context.emit({ stream: "stdout", text });
        await new Promise((done) => context.signal.addEventListener("abort", done));
        return "";
      },
    }),
  ];
}

const PROGRAM = `#!/usr/bin/env node
if (process.argv[2] === "--schema") console.log(JSON.stringify({ name: "program", description: "p", parameters: {} }));
else { process.stderr.write(require("node:fs").readFileSync("long.txt", "utf8")); process.exit(3); }
`;

async function allOf(t: TestContext, text: string): Promise<Readonly<Record<string, string>>> {
  const root = temporaryFolder(t);
  const programs = temporaryFolder(t);
  for (const [name, content] of [
    ["long.txt", text],
    ["many.txt", `first\n${text}\nmiddle\n${text}\nlast`],
  ] as const)
    writeFileSync(join(root, name), content);
  writeProgram(programs, "program", PROGRAM);
  const environment = childEnvironment(process.env);
  const [artifacts, journal, events] = [createMemoryArtifacts(), createMemoryJournal(), [] as EngineEvent[]];
  const engine = createEngine({
    mode: "yolo",
    workspace: [root],
    secrets: [KNOWN],
    artifacts,
    journal,
    tools: [
      ...ownTools(text),
      ...fileTools({ root }),
      ...runningTools({ root, environment }),
      pythonAction({ root, environment }),
    ],
  });
  t.after(() => engine.close());
  engine.on((event) => void events.push(event));
  const context = { cwd: root, environment };
  const command = { description: "c", parameters: {} };
  engine.sources.add(createExternalSource({ ...context, directories: [{ path: programs }] }), {
    isWatched: false,
  });
  engine.sources.add(
    createCommandSource({
      ...context,
      commands: {
        declared: { ...command, command: ["cat", "long.txt"] },
        declared_failure: { ...command, command: ["sh", "-c", "cat long.txt >&2; cat long.txt; exit 3"] },
      },
    }),
  );
  const { server } = rawServer(t, { tools: [toolOf("answer")] });
  engine.sources.add(createMcpSource({ name: "raw", server, connectTimeoutMs: 15_000 }));
  await engine.sources.settled();
  const shown: Record<string, string> = {};
  const failure = { result: { content: [{ type: "text", text }], isError: true } };
  for (const [index, [name, input]] of CALLS.entries()) {
    const run = async () =>
      engine.run(
        { ...call(name, name === "raw__answer" ? failure : input), id: `c${index}` },
        { session: "s" },
      );
    let result = await run();
    if (name.startsWith("view"))
      await until(async () => JSON.stringify((result = await run())).includes("ended"), "it has ended");
    const { error, ...rest } = { error: undefined, ...result };
    const { stack: _stack, ...meta } = result.meta as { readonly stack?: string };
    shown[`${name} ${JSON.stringify(input)}`] = JSON.stringify({ ...rest, meta, error });
    const { artifactId } = (result.meta.truncated ?? {}) as { artifactId?: string };
    shown[`artifact of ${index} ${name}`] =
      artifactId === undefined ? "" : await pagesOf(artifacts, artifactId);
  }
  const given = (value: unknown): string =>
    JSON.stringify(value, (key, one) => (key === "input" ? undefined : one));
  return { ...shown, events: given(events), journal: given(await journal.list()) };
}

/** Returns an artifact as a model reads it, page by page. */
async function pagesOf(artifacts: Artifacts, id: string): Promise<string> {
  const { size } = (await artifacts.info(id)) ?? { size: 0 };
  const starts = Array.from({ length: Math.ceil(size / 700) }, (_, page) => page * 700);
  const pages = await Promise.all(starts.map((start) => artifacts.read(id, start, 700)));
  return pages.map((page) => page?.text).join("\n");
}

/** Returns the first part of the secret that a text has; no filler text has as many of its characters in a row. */
function partOf(secret: string, text: string): string | undefined {
  for (let at = 0; at + 6 <= secret.length; at += 1) {
    const part = secret.slice(at, at + 6);
    const found = text.indexOf(part);
    if (found >= 0) return text.slice(Math.max(0, found - 40), found + 50);
  }
  return undefined;
}

const OFFSETS = [0, 7, 23];

for (const [index, [what, { one, secret }]] of Object.entries(SECRETS).entries())
  for (const offset of isLong ? OFFSETS : OFFSETS.slice(index % 3, (index % 3) + 1))
    test(`no cut shows a part of ${what} (${offset})`, async (t) => {
      const all = await allOf(t, "x".repeat(offset) + " " + one.repeat(Math.ceil(60_000 / one.length)));
      assert.ok(Object.values(all).join("").includes("⟦masked⟧"));
      const leaks = Object.entries(all).flatMap(([way, text]) => {
        const part = partOf(secret, text);
        return part === undefined ? [] : [`${way}: ${part}`];
      });
      assert.deepEqual(leaks, []);
    });
