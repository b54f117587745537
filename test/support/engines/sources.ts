import type { TestContext } from "node:test";
import { defineTool } from "../../../src/schema/define/define-tool.ts";
import type { Loaded, SourceProblem, ToolSource } from "../../../src/core/source.ts";
import type { Tool } from "../../../src/core/tool.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import type { EngineOptions } from "../../../src/engine/types/options.ts";
import { createEngine } from "../../../src/engine/engine.ts";

/** Creates an engine that allows everything; closed after the test. */
export function engineOf(t: TestContext, options: EngineOptions = {}): Engine {
  const engine = createEngine({ mode: "yolo", ...options });
  t.after(() => engine.close());
  return engine;
}

/** A tool that returns a text. */
export function say(name: string, answer = name, more: Partial<Tool> = {}): Tool {
  return { ...defineTool({ name, description: "Says something.", run: () => answer }), ...more };
}

/** A source whose loads the test finishes. */
export interface SlowSource extends ToolSource {
  readonly loads: () => number;
  /** Finishes the oldest pending load. */
  end(tools: readonly Tool[] | Error): void;
  changed(): void;
  isClosed(): boolean;
  isWatched(): boolean;
}

export function slowSource(name = "slow"): SlowSource {
  const waiting: { resolve: (loaded: Loaded) => void; reject: (error: Error) => void }[] = [];
  let loads = 0;
  let closed = false;
  let notify: (() => void) | undefined;
  return {
    name,
    loads: () => loads,
    load() {
      loads += 1;
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    watch(changed) {
      notify = changed;
      return () => (notify = undefined);
    },
    close: async () => void (closed = true),
    end(tools) {
      const first = waiting.shift();
      if (tools instanceof Error) first?.reject(tools);
      else first?.resolve({ tools, problems: [] });
    },
    changed: () => notify?.(),
    isClosed: () => closed,
    isWatched: () => notify !== undefined,
  };
}

/** A source with settable tools. */
export function setSource(
  name: string,
  tools: readonly Tool[],
): ToolSource & { set(tools: readonly Tool[]): void } {
  let given = tools;
  return {
    name,
    load: async () => ({ tools: given, problems: [] }),
    set(next) {
      given = next;
    },
  };
}

/** Returns one line per problem. */
export const reasons = (problems: readonly SourceProblem[]): readonly string[] =>
  problems.map(({ source, subject, reason }) => `${source} ${subject} ${reason}`);

/** Returns the names of an engine's active tools. */
export const names = (engine: Engine): readonly string[] => engine.list().map(({ name }) => name);
