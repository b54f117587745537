import { hostname } from "node:os";
import type { KV } from "@nats-io/kv";
import type { Engine } from "../../../engine/types/engine.ts";
import type { ToolSpec } from "../../../core/spec.ts";
import type { Tool } from "../../../core/tool.ts";
import { defined } from "../../../util/json/defined.ts";
import type { Seals } from "../keys/seals.ts";
import { WORKER_TTL_MS, type FleetStreams } from "../streams.ts";
import { versionOf, type VersionedTool, type WorkerAdvert } from "../wire.ts";

export interface AdvertOptions extends Pick<
  WorkerAdvert,
  "id" | "pool" | "labels" | "concurrency" | "release"
> {
  readonly engine: Engine;
  /** Returns true for a tool that the worker offers. */
  readonly offers: (tool: Tool) => boolean;
  readonly running: () => number;
}

/** The adverts of one worker. */
export type Advert = Awaited<ReturnType<typeof advertise>>;

/** Advertises a worker until it is closed, and its tools, which may change. */
export async function advertise(
  { workers, tools: specs, seals }: Pick<FleetStreams, "workers" | "tools" | "seals">,
  { engine, offers, running, id, pool, labels, concurrency, release }: AdvertOptions,
) {
  const own = { id, pool, labels, concurrency, release };
  const about = { ...own, host: hostname(), pid: process.pid, startedAt: Date.now() };
  const published = new Set<string>();
  let offered: ReadonlySet<VersionedTool> = new Set();
  let isDraining = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const entry = openEntry(workers, id, seals);
  const publishTools = async (): Promise<void> => {
    const offeredTools = engine.list().flatMap(({ name }) => {
      const tool = engine.get(name);
      // What an agent stores for itself stays where the agent is.
      return tool === undefined || tool.effects === "own-state" || !offers(tool) ? [] : [tool];
    });
    const named = offeredTools.map((tool) => ({ tool, version: versionOf(tool) }));
    for (const { tool, version } of named) {
      if (published.has(version)) continue;
      await specs.put(version, seals.seal("spec", version, JSON.stringify(specOf(tool))));
      published.add(version);
    }
    offered = new Set(named.map(({ tool: { name }, version }) => `${name}@${version}` as const));
  };
  const advertNow = (): WorkerAdvert => ({
    ...about,
    sentAt: Date.now(),
    tools: [...offered],
    running: running(),
    isDraining,
  });
  const beat = async (): Promise<void> => {
    clearTimeout(timer);
    // Engines receive an advert also while no server confirms it: the next one does not wait for that.
    timer = setTimeout(() => void beat(), WORKER_TTL_MS / 4);
    try {
      await publishTools();
      if (!isClosed) await entry.put(advertNow());
    } catch {
      // No server answers now: the next one is sent soon.
    }
  };
  await beat();
  return {
    /** Returns the time of the servers, which may differ from that of this machine: milliseconds since 1970. */
    serverNow: entry.serverNow,
    /** Returns true if the worker has this tool in this version. */
    has: (tool: string, version: string): boolean => offered.has(`${tool}@${version}`),
    /** Says that the worker takes no more calls. */
    async drain(): Promise<void> {
      isDraining = true;
      await beat();
    },
    /** Says that the worker is gone. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      // Not deleted: everyone who may write to the bucket could do that. It expires.
      await entry.put({ ...advertNow(), isGone: true }).catch(() => undefined);
    },
  };
}

/** How often the clock of the servers is compared, and how long that may take. */
const COMPARE_MS = 60_000;
const ROUND_TRIP_MS = 100;

/** Returns a function that stores an advert, and the clock of the servers, which have noted when they stored it. */
function openEntry(workers: KV, id: string, { seal }: Seals) {
  let ahead = 0;
  let comparedAt = Number.NEGATIVE_INFINITY;
  return {
    serverNow: () => Date.now() + ahead,
    async put(advert: WorkerAdvert): Promise<void> {
      const sentAt = Date.now();
      const revision = await workers.put(id, seal("advert", id, JSON.stringify(advert)));
      const roundTrip = Date.now() - sentAt;
      if (performance.now() - comparedAt < COMPARE_MS || roundTrip > ROUND_TRIP_MS) return;
      const stored = await workers.get(id);
      if (stored?.revision !== revision) return;
      ahead = stored.created.getTime() - sentAt - roundTrip / 2;
      comparedAt = performance.now();
    },
  };
}

function specOf({ name, description, input, output, risk, effects, limits }: Tool): ToolSpec {
  const spec = { name, description, input, risk, effects, place: "fleet", source: "fleet" } as const;
  return { ...spec, ...defined({ output, limits }) };
}
