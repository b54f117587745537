import type { Artifacts } from "../core/artifacts.ts";
import type { Engine, EngineOptions } from "../engine/engine.ts";
import { createEngine as createBareEngine } from "../engine/engine.ts";
import { loadBeside } from "../engine/load-beside.ts";
import type * as inMemory from "../store/in-memory.ts";

/** Makes an engine for a host program. What an answer has to cut is kept in memory unless a store is given. */
export function createEngine(options: EngineOptions = {}): Engine {
  return createBareEngine({ ...options, artifacts: options.artifacts ?? createLazyArtifacts() });
}

/** In memory, and loaded when the first answer is cut: most programs never do. */
function createLazyArtifacts(): Artifacts {
  let made: Artifacts | undefined;
  const artifacts = (): Artifacts => {
    made ??= (loadBeside(import.meta.url, "../store/in-memory") as typeof inMemory).createMemoryArtifacts();
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
