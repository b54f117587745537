import { ToolError } from "../../core/errors.ts";
import type { SourceProblem, SourceState, ToolSource } from "../../core/source.ts";
import type { EngineSources, Registrar } from "../types/engine-parts.ts";
import type { AddSourceOptions, RefreshOutcome } from "../types/registry.ts";
import { checkOptions } from "../../util/json/check-options.ts";
import { createSourceLoader, type LoadOutcome, type SourceLoader } from "./source-loader.ts";
import { createSourceTools } from "./source-tools.ts";

/** Creates the sources of an engine. */
export function createSources(registrar: Registrar): EngineSources {
  const sources = new Map<string, SourceLoader>();
  const openTools = createSourceTools(registrar);
  const loads = (name?: string): readonly Promise<unknown>[] => {
    if (sources.size === 0) return NO_LOADS;
    for (const source of sources.values()) source.start();
    const possible = [...sources.values()].filter((one) => name === undefined || one.mayProvide(name));
    return possible.flatMap((one) => one.loading() ?? []);
  };
  return {
    loads,
    add(source, options = {}) {
      checkAdd(source, options);
      const { presets, isLazy = false, isWatched = true } = options;
      const { name } = source;
      if (sources.has(name)) throw new ToolError("INVALID_INPUT", `there is already a source "${name}"`);
      const tools = openTools(name, presets);
      const loader = createSourceLoader({ source, tools, isWatched, emit: registrar.emit });
      sources.set(name, loader);
      source.teachSecrets?.(registrar.masker.learn);
      if (!isLazy) loader.start();
    },
    async refresh(name) {
      const chosen = name === undefined ? [...sources.values()] : [find(sources, name)];
      const outcomes = await Promise.all(
        chosen.map(async (source) => [source.name, await source.refresh()] as const),
      );
      return combine(outcomes);
    },
    problems(tool) {
      const all = [...sources.values()];
      if (tool === undefined) return all.flatMap((source) => source.problems());
      const claiming = all.filter((source) => source.claims(tool));
      return claiming.flatMap((source) => source.problems().filter(({ reason }) => ABSENT.has(reason)));
    },
    state(name) {
      if (name !== undefined) return find(sources, name).state();
      const states = new Set([...sources.values()].map((source) => source.state()));
      return PRECEDENCE.find((state) => states.has(state)) ?? "not_started";
    },
    async settled(name) {
      const isKnown = (): boolean => name !== undefined && registrar.registry.find(name) !== undefined;
      for (let open = loads(name); open.length > 0 && !isKnown(); open = loads(name))
        await (name === undefined ? Promise.all(open) : Promise.race(open));
    },
    loading: () => [...sources.values()].filter((one) => one.loading() !== undefined).map(({ name }) => name),
    async offered() {
      void loads();
      await Promise.all([...sources.values()].flatMap((source) => source.offered() ?? []));
    },
    missing: () => [...sources.values()].filter((one) => one.offered() !== undefined).map(({ name }) => name),
    async close() {
      await Promise.allSettled([...sources.values()].map((source) => source.close()));
    },
  };
}

/** The reasons why a source offers nothing. */
const ABSENT: ReadonlySet<SourceProblem["reason"]> = new Set(["unreachable", "unauthorized", "untrusted"]);

function checkAdd(source: ToolSource | undefined, options: AddSourceOptions): void {
  checkOptions(
    "engine.sources.add",
    { source: source ?? null },
    { source: "an object with a function load" },
  );
  checkOptions("engine.sources.add", options, ADD_KINDS);
}

const ADD_KINDS = {
  presets: "an object",
  isLazy: "true or false",
  isWatched: "true or false",
} as const;
const NO_LOADS: readonly Promise<unknown>[] = [];

/** The first of these states that any source has is the state of all sources together. */
const PRECEDENCE: readonly SourceState[] = ["in_progress", "failed", "not_started", "complete"];

function find(sources: ReadonlyMap<string, SourceLoader>, name: string): SourceLoader {
  const source = sources.get(name);
  if (source !== undefined) return source;
  throw new ToolError("INVALID_INPUT", `there is no source "${name}"`, {
    hint: `sources: ${[...sources.keys()].join(", ") || "none"}`,
  });
}

function combine(outcomes: readonly (readonly [string, LoadOutcome])[]): RefreshOutcome {
  const all = (key: "added" | "changed" | "removed"): readonly string[] =>
    outcomes.flatMap(([, outcome]) => outcome[key]);
  const failures = outcomes.flatMap(([source, { error }]) =>
    error === undefined ? [] : [{ source, error }],
  );
  return {
    state: failures.length > 0 ? "failed" : "complete",
    added: all("added"),
    changed: all("changed"),
    removed: all("removed"),
    failures,
  };
}
