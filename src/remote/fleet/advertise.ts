import { hostname } from "node:os";
import type { Engine } from "../../engine/types/engine.ts";
import type { ToolSpec } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import { defined } from "../../util/json/defined.ts";
import { WORKER_TTL_MS, type FleetStreams } from "./streams.ts";
import { versionOf, type WorkerAdvert } from "./wire.ts";

export interface AdvertOptions {
  readonly id: string;
  readonly pool: string;
  readonly labels: readonly string[];
  readonly concurrency: number;
  readonly release: string;
  readonly engine: Engine;
  /** Returns true for a tool that the worker offers. */
  readonly offers: (tool: Tool) => boolean;
  readonly running: () => number;
}

/** The adverts of one worker. */
export interface Advert {
  /** Returns true if the worker has this tool in this version. */
  has(tool: string, version: string): boolean;
  /** Says that the worker takes no more calls. */
  drain(): Promise<void>;
  /** Says that the worker is gone. */
  close(): Promise<void>;
}

/** Advertises a worker until it is closed, and its tools, which may change. */
export async function advertise(
  { workers, tools: specs }: Pick<FleetStreams, "workers" | "tools">,
  { engine, offers, running, ...fixed }: AdvertOptions,
): Promise<Advert> {
  const about = { ...fixed, host: hostname(), pid: process.pid, startedAt: Date.now() };
  const published = new Set<string>();
  let offered: ReadonlySet<string> = new Set();
  let isDraining = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const publishTools = async (): Promise<void> => {
    const found = engine.list().flatMap(({ name }) => {
      const tool = engine.get(name);
      // What an agent stores for itself stays where the agent is.
      return tool === undefined || tool.effects === "own-state" || !offers(tool) ? [] : [tool];
    });
    const named = found.map((tool) => ({ tool, version: versionOf(tool) }));
    for (const { tool, version } of named) {
      if (published.has(version)) continue;
      await specs.put(version, JSON.stringify(specOf(tool)));
      published.add(version);
    }
    offered = new Set(named.map(({ tool: { name }, version }) => `${name}@${version}`));
  };
  const beat = async (): Promise<void> => {
    clearTimeout(timer);
    try {
      await publishTools();
      const advert: WorkerAdvert = { ...about, tools: [...offered], running: running(), isDraining };
      await workers.put(fixed.id, JSON.stringify(advert));
    } catch {
      // No server answers now: the next one is sent soon.
    }
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void beat(), WORKER_TTL_MS / 4);
  };
  await beat();
  return {
    has: (tool, version) => offered.has(`${tool}@${version}`),
    async drain() {
      isDraining = true;
      await beat();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await workers.delete(fixed.id).catch(() => undefined);
    },
  };
}

function specOf({ name, description, input, output, risk, effects, limits }: Tool): ToolSpec {
  const spec = { name, description, input, risk, effects, place: "fleet", source: "fleet" } as const;
  return { ...spec, ...defined({ output, limits }) };
}
