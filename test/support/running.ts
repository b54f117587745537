import type { TestContext } from "node:test";
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import type { ToolResult } from "../../src/core/result.ts";
import type { Engine } from "../../src/engine/types/engine.ts";
import type { EngineOptions } from "../../src/engine/types/options.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { childEnvironment } from "../../src/system/process/environment.ts";
import { pythonAction } from "../../src/tools/python/python-action.ts";
import { runningTools } from "../../src/tools/running/family.ts";
import type { RunningOptions } from "../../src/tools/running/options.ts";
import { call, textOf } from "./engines/engine.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** An engine with the tools that run programs, in a folder of its own; everything is allowed and ends with the test. */
export interface RunningEngine {
  readonly engine: Engine;
  readonly root: string;
  readonly run: (
    name: string,
    input: JsonObject,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<Answered>;
}

/** An answer as a test looks at it. */
export interface Answered {
  readonly result: ToolResult;
  readonly text: string;
  /** Of a success, its data; of a failure, its details. */
  readonly data: JsonObject;
  readonly code: string;
}

export function runningEngine(
  context: TestContext,
  options: Partial<RunningOptions> & Pick<EngineOptions, "artifacts" | "context"> = {},
): RunningEngine {
  const { artifacts, context: provided = [], ...given } = options;
  const root = temporaryFolder(context);
  const environment = { ...childEnvironment(process.env), HOME: root };
  const running = { root, environment, ...given };
  const engine = createEngine({
    mode: "yolo",
    workspace: [root],
    tools: [...runningTools(running), pythonAction(running)],
    context: provided,
    ...(artifacts !== undefined && { artifacts }),
  });
  context.after(() => engine.close());
  return {
    engine,
    root,
    async run(name, input, runOptions = {}) {
      const result = await engine.run(call(name, input), runOptions);
      const data: Json | undefined = result.ok ? result.data : result.error.details;
      return {
        result,
        text: textOf(result),
        data: isObject(data) ? data : {},
        code: result.ok ? "ok" : result.error.code,
      };
    },
  };
}

/** Looks again until something holds; fails when it never does. */
export async function untilTrue(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const until = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
