import { createEngine, defineTool, type JsonObject, type Tool } from "toolwright";
import { CASES } from "./cases.ts";
import { median, type Row } from "./measure.ts";

const COUNT = 10_000;

/** Measures 10 000 tools with JSON Schema: registering, memory, converting, and the first call. */
export async function benchRegistry(): Promise<readonly Row[]> {
  const definitions = Array.from({ length: COUNT }, (_, index) => definition(index));
  const registerMs = median(Array.from({ length: 5 }, () => register(definitions)));
  const bytes = bytesPerTool();
  const engine = createEngine({ tools: definitions });
  const convertMs = median(Array.from({ length: 3 }, () => time(() => engine.specs("openai"))));
  const firstMs = await firstCall();
  return [
    row("register 10 000 tools", `${registerMs.toFixed(1)} ms`, "100 ms", registerMs <= 100),
    row("a registered tool", `${(bytes / 1024).toFixed(2)} KB`, "2.5 KB", bytes <= 2.5 * 1024),
    row("convert 10 000 tools (openai)", `${convertMs.toFixed(1)} ms`, "", true),
    row("first call of a tool, nested", `${firstMs.toFixed(2)} ms`, "2 ms", firstMs <= 2),
  ];
}

/** Parsed from text, as from a server, so that no two tools share a schema object. */
function definition(index: number): Tool {
  const schema = JSON.parse(JSON.stringify(CASES[0]?.schema)) as JsonObject;
  return defineTool({
    name: `tool_${index}`,
    description: `Tool number ${index}.`,
    input: schema,
    run: () => index,
  });
}

function register(tools: readonly Tool[]): number {
  const engine = createEngine();
  return time(() => engine.add(tools));
}

function bytesPerTool(): number {
  const collect = globalThis.gc;
  if (collect === undefined) return Number.NaN;
  collect();
  const before = process.memoryUsage().heapUsed;
  const engine = createEngine({ tools: Array.from({ length: COUNT }, (_, index) => definition(index)) });
  collect();
  const bytes = (process.memoryUsage().heapUsed - before) / COUNT;
  if (engine.list().length !== COUNT) throw new Error("not all registered");
  return bytes;
}

async function firstCall(): Promise<number> {
  const nested = CASES[1];
  if (nested === undefined) throw new Error("no nested case");
  const times: number[] = [];
  for (let index = 0; index < 20; index += 1) {
    const input = JSON.parse(JSON.stringify(nested.schema)) as JsonObject;
    const tool = defineTool({ name: "t", description: "", input, risk: "low", run: () => "done" });
    const engine = createEngine({ tools: [tool] });
    const startedAt = performance.now();
    await engine.run({ id: "1", name: "t", input: JSON.parse(nested.text) });
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

function time(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function row(what: string, figure: string, target: string, isReached: boolean): Row {
  return { what, figure, against: "", target, isReached };
}
