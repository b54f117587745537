import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Rule } from "../../core/rule.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { EngineOptions } from "../../engine/types/options.ts";
import { createEngine as createBareEngine } from "../../engine/engine.ts";
import { createMemoryArtifacts } from "../../store/in-memory.ts";
import { parsePolicyFile } from "../../policy/rules/parse-policy.ts";
import { attempt } from "../../util/async/attempt.ts";
import { defined } from "../../util/json/defined.ts";
import { checkOptions } from "./check-options.ts";
import { createDefaultPolicy, resolveCommandPath } from "./policy.ts";

export interface HostOptions extends EngineOptions {
  /** Rules above the built-in ones; ignored if `policy` is given. */
  readonly rules?: readonly Rule[];
}

/**
 * Creates an engine for a host program. Throws `INVALID_INPUT` on an invalid option. Output that is cut is stored in memory
 * unless `artifacts` is given.
 */
export function createEngine({ rules, ...options }: HostOptions = {}): Engine {
  const { mode, policy, artifacts, resolvePath } = options;
  checkOptions(options);
  const workspace = options.workspace?.map(
    (folder) => attempt(() => realpathSync(folder)) ?? resolve(folder),
  );
  if (rules !== undefined) parsePolicyFile({ rules }, "createEngine");
  return createBareEngine({
    ...options,
    policy: policy ?? createDefaultPolicy({ home: homedir(), ...defined({ mode, workspace, rules }) }),
    resolvePath: resolvePath ?? resolveCommandPath,
    artifacts: artifacts ?? createMemoryArtifacts(),
  });
}
