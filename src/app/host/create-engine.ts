import { homedir } from "node:os";
import type { Rule } from "../../core/rule.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { EngineOptions } from "../../engine/types/options.ts";
import { createEngine as createBareEngine } from "../../engine/engine.ts";
import { createMemoryArtifacts } from "../../store/in-memory.ts";
import { defined } from "../../util/json/defined.ts";
import { createDefaultPolicy, resolveCommandPath } from "./policy.ts";

export interface HostOptions extends EngineOptions {
  /** Rules above the built-in ones; ignored if `policy` is given. */
  readonly rules?: readonly Rule[];
}

/** Creates an engine for a host program. Output that is cut is stored in memory unless `artifacts` is given. */
export function createEngine({ rules, ...options }: HostOptions = {}): Engine {
  const { mode, workspace, policy, artifacts, resolvePath } = options;
  return createBareEngine({
    ...options,
    policy: policy ?? createDefaultPolicy({ home: homedir(), ...defined({ mode, workspace, rules }) }),
    resolvePath: resolvePath ?? resolveCommandPath,
    artifacts: artifacts ?? createMemoryArtifacts(),
  });
}
