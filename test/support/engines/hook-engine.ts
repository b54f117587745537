import { defineTool } from "../../../src/schema/define/define-tool.ts";
import type { Hook } from "../../../src/core/hook.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { integer, object, optional, string } from "../../../src/schema/define/schema.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import { createEngine } from "../../../src/engine/engine.ts";

/** An engine whose one tool keeps what it was run with. */
export function openEngine(
  hooks: readonly Hook[],
  options: Parameters<typeof createEngine>[0] = {},
): { readonly engine: Engine; readonly ran: JsonObject[] } {
  const ran: JsonObject[] = [];
  const say = defineTool({
    name: "say",
    description: "Says.",
    aliases: ["tell"],
    input: object({ word: string(), times: optional(integer(), 1) }),
    risk: "low",
    run(input) {
      ran.push(input);
      return input.word;
    },
  });
  return { engine: createEngine({ tools: [say], hooks, ...options }), ran };
}

/** A hook that comes before a call. */
export function before(name: string, run: Hook["run"], more: Partial<Hook> = {}): Hook {
  return { name, on: ["before_tool"], run, ...more };
}
