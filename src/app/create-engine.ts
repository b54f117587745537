import type { Engine, EngineOptions } from "../engine/engine.ts";
import { createEngine as createBareEngine } from "../engine/engine.ts";
import { createMemoryArtifacts } from "../store/in-memory.ts";

/** Makes an engine for a host program. What an answer has to cut is kept in memory unless a store is given. */
export function createEngine(options: EngineOptions = {}): Engine {
  return createBareEngine({ ...options, artifacts: options.artifacts ?? createMemoryArtifacts() });
}
