import type { ToolCall } from "../../../src/core/call.ts";
import { defineTool } from "../../../src/schema/define/define-tool.ts";
import type { EngineEvent } from "../../../src/core/events.ts";
import type { ToolResult } from "../../../src/core/result.ts";
import { number, object } from "../../../src/schema/define/schema.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";

let count = 0;

/** Returns a call with a new id. */
export function call(name: string, input: unknown = {}): ToolCall {
  count += 1;
  return { id: `call-${count}`, name, input };
}

/** Adds two numbers; low risk, so that it needs no approval. */
export const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: object({ a: number(), b: number() }),
  risk: "low",
  effects: "none",
  run: ({ a, b }) => ({ sum: a + b }),
});

/** Always throws; low risk, so that it needs no approval. */
export const failing = defineTool({
  name: "fail",
  description: "Fails.",
  risk: "low",
  effects: "none",
  run() {
    throw new Error("no luck");
  },
});

/** Returns the text a model would read, without the fences around untrusted text. */
export function textOf(result: ToolResult): string {
  return result.content
    .map((one) => (one.type === "text" ? one.text.replace(FENCE, "$2") : `(${one.type})`))
    .join("\n");
}

const FENCE = /^<(untrusted-\w+) [^>]*>\n([\s\S]*)\n<\/\1>$/;

/** The code of a failure; "ok" for a success. */
export function codeOf(result: ToolResult): string {
  return result.ok ? "ok" : result.error.code;
}

/** Everything an engine tells from now on. */
export function eventsOf(engine: Engine): EngineEvent[] {
  const events: EngineEvent[] = [];
  engine.on((event) => events.push(event));
  return events;
}
