import type { RefreshOutcome, Sources } from "../types/registry.ts";
import { ToolError } from "../../core/errors.ts";
import type { SourceState } from "../../core/source.ts";
import type * as holding from "./holdings.ts";
import type { Holdings } from "./holdings.ts";
import { loadBeside } from "../../util/load-beside.ts";
import type * as opening from "./open-source.ts";
import type { LoadOutcome, OpenSource } from "./open-source.ts";
import type { Registrar } from "./register.ts";

/** The sources as the engine itself uses them. */
export interface EngineSources extends Sources {
  /** Every load that a tool of an unknown name may come out of; begins those that have not begun. */
  loads(): readonly Promise<unknown>[];
  close(): Promise<void>;
}

/** An engine without sources pays for none: what opens them is loaded with the first. */
export function createSources(registrar: Registrar): EngineSources {
  const sources = new Map<string, OpenSource>();
  let holdings: Holdings | undefined;
  const loads = (): readonly Promise<unknown>[] => {
    if (sources.size === 0) return NONE;
    for (const source of sources.values()) source.start();
    return [...sources.values()].flatMap((source) => source.loading() ?? []);
  };
  return {
    loads,
    add(source, { presets, isLazy = false, isWatched = true } = {}) {
      const { name } = source;
      if (sources.has(name)) throw new ToolError("INVALID_INPUT", `there is already a source "${name}"`);
      const { createHoldings } = loadBeside(import.meta.url, "./holdings") as typeof holding;
      holdings ??= createHoldings(registrar);
      const { openSource } = loadBeside(import.meta.url, "./open-source") as typeof opening;
      const opened = openSource({
        source,
        holding: holdings.open(name, presets),
        isWatched,
        send: registrar.send,
      });
      sources.set(name, opened);
      if (!isLazy) opened.start();
    },
    async refresh(name) {
      const chosen = name === undefined ? [...sources.values()] : [known(sources, name)];
      const outcomes = await Promise.all(
        chosen.map(async (source) => [source.name, await source.refresh()] as const),
      );
      return together(outcomes);
    },
    problems: () => [...sources.values()].flatMap((source) => source.problems()),
    state(name) {
      if (name !== undefined) return known(sources, name).state();
      const states = new Set([...sources.values()].map((source) => source.state()));
      return ORDER.find((state) => states.has(state)) ?? "not_started";
    },
    async settled() {
      for (let open = loads(); open.length > 0; open = loads()) await Promise.all(open);
    },
    async close() {
      await Promise.allSettled([...sources.values()].map((source) => source.close()));
    },
  };
}

const NONE: readonly Promise<unknown>[] = [];

/** Of several sources: one that loads makes them all unfinished, one that failed makes them failed. */
const ORDER: readonly SourceState[] = ["in_progress", "failed", "not_started", "complete"];

function known(sources: ReadonlyMap<string, OpenSource>, name: string): OpenSource {
  const source = sources.get(name);
  if (source !== undefined) return source;
  throw new ToolError("INVALID_INPUT", `there is no source "${name}"`, {
    hint: `sources: ${[...sources.keys()].join(", ") || "none"}`,
  });
}

function together(outcomes: readonly (readonly [string, LoadOutcome])[]): RefreshOutcome {
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
