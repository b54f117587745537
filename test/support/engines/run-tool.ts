import { createEngine } from "../../../src/engine/engine.ts";
import type { EngineOptions, RunOptions } from "../../../src/engine/types/options.ts";
import { defineTool } from "../../../src/schema/define/define-tool.ts";
import { call, codeOf, textOf } from "./engine.ts";

/** Runs a tool of high risk with what it declares, and returns the answer and how often the tool ran. */
export async function runTool(declared: object, engine: EngineOptions = {}, options: object = {}) {
  let runs = 0;
  const tool = defineTool({
    name: "t",
    description: "",
    risk: "high",
    run: () => (runs += 1),
    ...declared,
  });
  const result = await createEngine({ mode: "yolo", ...engine, tools: [tool] }).run(
    call("t"),
    options as RunOptions,
  );
  return { code: codeOf(result), text: textOf(result), runs };
}
