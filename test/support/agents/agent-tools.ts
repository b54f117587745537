import { defineTool } from "../../../src/schema/define/define-tool.ts";
import { object, string } from "../../../src/schema/define/schema.ts";
import type { Tool } from "../../../src/core/tool.ts";

export interface HeldTool {
  readonly tool: Tool;
  /** Settles when a call has begun. */
  readonly begun: Promise<void>;
  /** Ends every call that waits, and those to come. */
  readonly release: () => void;
}

/** A tool whose calls wait until they are released or ended. */
export function heldTool(name = "hold"): HeldTool {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const tool = defineTool({
    name,
    description: "Waits.",
    input: object({}),
    risk: "low",
    async run(_input, { signal, emit }) {
      emit("waiting");
      begun.resolve();
      const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
      await Promise.race([released.promise, aborted]);
      return "released";
    },
  });
  return { tool, begun: begun.promise, release: released.resolve };
}

/** A tool that returns its input and records it. */
export function echoTool(
  name = "echo",
  more: Partial<Tool> = {},
): { readonly tool: Tool; readonly said: string[] } {
  const said: string[] = [];
  const tool = defineTool({
    name,
    description: "Says it back.",
    input: object({ word: string() }),
    risk: "low",
    run({ word }) {
      said.push(word);
      return word;
    },
  });
  return { tool: { ...tool, ...more }, said };
}
