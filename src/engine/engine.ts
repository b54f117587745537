import { createPolicy } from "../policy/policy.ts";
import { createBareEngine } from "./bare-engine.ts";
import type { Engine } from "./types/engine.ts";
import type { EngineOptions } from "./types/options.ts";

/** Creates an engine whose default policy has no rules and reads no commands: that of the library is in `src/app/host/create-engine.ts`. */
export function createEngine(options: EngineOptions = {}): Engine {
  const { mode = "auto", workspace = [] } = options;
  return createBareEngine({ ...options, policy: options.policy ?? createPolicy({ mode, workspace }) });
}
