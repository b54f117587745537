import type { Tool } from "../core/tool.ts";
import { aboutTools, type AboutOptions } from "./about/family.ts";
import { builtIn } from "./built-in-named.ts";
import { runCode } from "./code/run-code.ts";
import { fileTools } from "./files/family.ts";
import type { FilesOptions } from "./files/shared/options.ts";
import { memoryTools } from "./memory/family.ts";
import type { MemoryOptions } from "./memory/shared/options.ts";
import { proxyTools } from "./proxy/family.ts";
import type { ProxyOptions } from "./proxy/traffic/options.ts";
import { pythonAction } from "./python/python-action.ts";
import { reportTools } from "./reports/family.ts";
import type { ReportsOptions } from "./reports/options.ts";
import { runningTools } from "./running/family.ts";
import type { RunningOptions } from "./running/options.ts";
import { checkRootedOptions } from "./shared/check-tool-options.ts";
import { webTools } from "./web/family.ts";
import type { WebOptions } from "./web/options.ts";

/** The options of the built-in tools. */
export type BuiltInOptions = FilesOptions &
  RunningOptions &
  WebOptions &
  ProxyOptions &
  MemoryOptions &
  ReportsOptions &
  AboutOptions;

/** Returns all built-in tools. */
export function builtInTools(options: BuiltInOptions): Tool[] {
  checkRootedOptions("builtInTools", options);
  return [
    ...fileTools(options),
    ...runningTools(options),
    pythonAction(options),
    runCode({ dataOf: (name) => Object.values(builtIn).find((one) => one.name === name)?.data }),
    ...webTools(options),
    ...proxyTools(options),
    ...memoryTools(options),
    ...reportTools(options),
    ...aboutTools(options),
  ];
}
