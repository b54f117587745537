import { join } from "node:path";
import { readdirSync, readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { createTelemetry } from "../../../src/adapters/opentelemetry/telemetry.ts";
import { exportJson, exportMarkdown } from "../../../src/agent/sessions/export.ts";
import { openTranscripts } from "../../../src/agent/sessions/open-transcripts.ts";
import { exportCalls, TRACE_FORMATS } from "../../../src/app/terminal/trace/export-calls.ts";
import { Reply } from "../../../src/core/content.ts";
import { ToolError } from "../../../src/core/errors.ts";
import type { EngineEvent } from "../../../src/core/events.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import { defineTool } from "../../../src/schema/define/define-tool.ts";
import { object, string } from "../../../src/schema/define/schema.ts";
import { createMemoryArtifacts, createMemoryJournal } from "../../../src/store/in-memory.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { openAgent } from "../agents/agent.ts";
import { proxyEngine } from "../browser/proxy.ts";
import type { SecretCase } from "./secret-formats.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { startWebServer } from "../servers/web-server.ts";

/** The text that comes out of each way when a tool, a person, a model or a server has a text: that of every case, by way. */
export type WaysOut = Readonly<Record<string, string>>;

export const lineOf = ({ before, secret, after }: SecretCase): string => `${before}${secret}${after}`;

const input = object({ line: string() });
const FILLER = "a line of ordinary text\n".repeat(3000);
const define = (name: string, run: Parameters<typeof defineTool<typeof input>>[0]["run"]) =>
  defineTool({ name, description: "t", input, run });

const TOOLS = [
  define("answer", ({ line }) => `before\n${line}\nafter`),
  define("data", ({ line }) => ({ matches: [{ line: 1, text: line }] })),
  define("both", ({ line }) => new Reply(line, { data: { lines: [line] } })),
  define("artifact", ({ line }) => `${FILLER}${line}\n${FILLER}`),
  define("error", ({ line }, context) => {
    context.emit({ stream: "stdout", text: `${line}\n` });
    context.emit(line);
    throw new ToolError("TOOL_FAILED", line, { hint: line, details: { line } });
  }),
];

/** Runs each case through tools of an engine: answer, data, error, event, journal, trace, artifact, telemetry. */
export async function waysOfEngine(t: TestContext, cases: readonly SecretCase[]): Promise<WaysOut> {
  const events: EngineEvent[] = [];
  const artifacts = createMemoryArtifacts();
  const journal = createMemoryJournal();
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const telemetry = createTelemetry({ tracer: provider.getTracer("test"), recordsContent: true });
  const engine = createEngine({
    mode: "yolo",
    artifacts,
    journal,
    tools: TOOLS,
    around: [telemetry.around],
    log: (event) => void events.push(event),
  });
  t.after(() => engine.close());
  telemetry.watch(engine);
  const ways: Record<string, string> = { artifact: "" };
  for (const [index, one] of cases.entries()) {
    for (const { name } of TOOLS) {
      const result = await engine.run({ id: `${index}-${name}`, name, input: { line: lineOf(one) } });
      ways[name] = `${ways[name] ?? ""}${JSON.stringify(result)}\n`;
      const { artifactId } = (result.meta.truncated ?? {}) as { artifactId?: string };
      const info = artifactId === undefined ? undefined : await artifacts.info(artifactId);
      if (info !== undefined) ways["artifact"] += (await artifacts.read(info.id, 0, info.size))?.text ?? "";
    }
  }
  const records = await journal.list();
  const spans = exporter.getFinishedSpans();
  return {
    ...ways,
    event: JSON.stringify(events),
    journal: JSON.stringify(records),
    trace: TRACE_FORMATS.map((format) => exportCalls(records, format).text).join("\n"),
    telemetry: JSON.stringify(
      spans.map(({ name, attributes, events: own, status }) => [name, attributes, own, status]),
    ),
  };
}

/** Has a person, a model and a tool write each case in a session of an agent: its events, and its exports. */
export async function waysOfAgent(t: TestContext, cases: readonly SecretCase[]): Promise<WaysOut> {
  const answers = cases.flatMap((one) => [
    { calls: [{ name: "answer", input: { line: lineOf(one) } }] },
    { text: lineOf(one) },
  ]);
  const { agent, events, collections } = await openAgent(t, answers, {
    engine: { mode: "yolo", tools: TOOLS },
  });
  for (const one of cases) await agent.send(lineOf(one));
  const transcripts = openTranscripts(collections);
  const [info, entries] = [await transcripts.info("s"), await transcripts.entries("s")];
  return {
    "agent event": JSON.stringify(events),
    export: info === undefined ? "" : exportMarkdown(info, entries) + exportJson(info, entries),
  };
}

/** Sends each case as a header and a body, and has it returned: the store, the lists and views of traffic, and reports. */
export async function waysOfProxy(t: TestContext, cases: readonly SecretCase[]): Promise<WaysOut> {
  const { origin } = await startWebServer(t, (request, response) => {
    const index = Number(request.url?.slice(1));
    const line = lineOf(cases[index % cases.length] as SecretCase);
    const isBinary = index >= cases.length;
    response.end(
      isBinary ? Buffer.concat([Buffer.from([0, 255]), Buffer.from(line)]) : `before\n${line}\nafter`,
    );
  });
  const folder = temporaryFolder(t);
  const store = await openStore({ folder });
  t.after(() => store.close());
  const { run } = proxyEngine(t, { collections: store.collections });
  let [sent, view] = ["", ""];
  const ids: string[] = [];
  for (const index of [...cases.keys(), ...cases.map((_, at) => at + cases.length)]) {
    const body = `x\n${lineOf(cases[index % cases.length] as SecretCase)}\ny`;
    const { data, result } = await run("send_request", { method: "POST", url: `${origin}/${index}`, body });
    sent += JSON.stringify(result);
    ids.push(data["request_id"] as string);
    for (const part of ["request", "response"])
      view += JSON.stringify((await run("view_request", { request_id: ids.at(-1) ?? "", part })).result);
  }
  const text = cases.map(lineOf).join("\n");
  const report = await run("create_vulnerability_report", {
    title: "t",
    description: text,
    impact: "i",
    target: origin,
    technical_analysis: text,
    poc_description: "p",
    poc_script: text,
    remediation_steps: "r",
    cvss_vector: "AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N",
    request_ids: ids.slice(0, 20),
  });
  const files = Object.values((report.data["files"] ?? {}) as Readonly<Record<string, string>>);
  return {
    "sent request": sent,
    view_request: view,
    list_requests: JSON.stringify((await run("list_requests", {})).result),
    "stored request": filesOf(folder),
    report: files.map((file) => readFileSync(join(file), "utf8")).join("\n"),
  };
}

/** Returns the bytes of all files of a folder: what a secret has here is on the disk. */
function filesOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
}

/** Returns a row for each format with the ways on which a secret of it is in clear; a way that has no text at all is a fault of the test. */
export function leaksOf(cases: readonly SecretCase[], ways: WaysOut): readonly string[] {
  const empty = Object.entries(ways).flatMap(([way, text]) =>
    text.length < 50 ? [`nothing came out of: ${way}`] : [],
  );
  const clear = cases.flatMap(({ format, secret }) => {
    const [base64, hex] = [
      Buffer.from(secret).toString("base64").slice(0, 12),
      Buffer.from(secret).toString("hex"),
    ];
    const found = Object.entries(ways).filter(([, text]) =>
      [secret, base64, hex].some((one) => text.includes(one)),
    );
    return found.map(([way]) => `${format}: ${way}`);
  });
  return [...empty, ...clear];
}
