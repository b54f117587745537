import type { Artifacts } from "../../core/store/artifacts.ts";
import type { Rule } from "../../core/rule.ts";
import type { Engine, EngineOptions } from "../../engine/engine.ts";
import { createEngine as createBareEngine } from "../../engine/engine.ts";
import { loadBeside } from "../../util/load-beside.ts";
import type { ResolvePath } from "../../engine/state/line.ts";
import { createDefaultPolicy } from "./policy/default-policy.ts";
import type * as resolving from "./resolve-word.ts";
import type * as inMemory from "../../store/in-memory.ts";

export interface HostOptions extends EngineOptions {
  /** Over the built-in rules; they need no `policy` of your own. */
  readonly rules?: readonly Rule[];
}

/** Makes an engine for a host program. What an answer has to cut is kept in memory unless a store is given. */
export function createEngine({ rules, ...options }: HostOptions = {}): Engine {
  const { mode, workspace, policy, artifacts, resolvePath } = options;
  const home = process.getBuiltinModule("node:os").homedir();
  return createBareEngine({
    ...options,
    policy:
      policy ??
      createDefaultPolicy({
        home,
        ...(mode === undefined ? {} : { mode }),
        ...(workspace === undefined ? {} : { workspace }),
        ...(rules === undefined ? {} : { rules }),
      }),
    resolvePath: resolvePath ?? resolveLazily,
    artifacts: artifacts ?? createLazyArtifacts(),
  });
}

/** Loaded by the first command that names a path. */
const resolveLazily: ResolvePath = (word) =>
  (loadBeside(import.meta.url, "./resolve-word") as typeof resolving).resolveWord(word);

/** In memory, and loaded when the first answer is cut: most programs never do. */
function createLazyArtifacts(): Artifacts {
  let made: Artifacts | undefined;
  const artifacts = (): Artifacts => {
    made ??= (
      loadBeside(import.meta.url, "../../store/in-memory") as typeof inMemory
    ).createMemoryArtifacts();
    return made;
  };
  return {
    get keeps() {
      return artifacts().keeps;
    },
    create: () => artifacts().create(),
    info: (id) => artifacts().info(id),
    read: (...given) => artifacts().read(...given),
    search: (...given) => artifacts().search(...given),
    close: async () => made?.close(),
  };
}
