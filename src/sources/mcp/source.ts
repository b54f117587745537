import type { Collection } from "../../core/store/collection.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import type { Loaded, ToolSource } from "../../core/source.ts";
import type { Tool } from "../../core/tool.ts";
import type { Connection } from "./connection/connect.ts";
import type { HashedDefinition } from "./tools/definition.ts";
import type { PinChange } from "./tools/pin-changes.ts";
import { pinChanges } from "./tools/pin-changes.ts";
import type { Pins } from "./tools/pins.ts";
import { createPins } from "./tools/pins.ts";
import { changedSince, unreachable, untrusted } from "./tools/problems.ts";
import type { OtherList, Session, SessionOptions } from "./session.ts";
import { createSession } from "./session.ts";
import { toTool } from "./tools/to-tool.ts";

export interface McpSourceOptions extends SessionOptions {
  /** Where the definitions that the user has seen are kept; left out: in memory. */
  readonly pins?: Collection;
  /** Left out: what the server says of its tools raises their risk and never lowers it. */
  readonly trustsAnnotations?: boolean;
  /** The deadline of a call; left out: the engine's. */
  readonly timeoutMs?: number;
  /** `lazy` takes the tools that the user has seen last time, and starts the server with the first call; `eager`. */
  readonly startup?: "eager" | "lazy";
}

/** One MCP server as a source of tools, with what else can be had from it. */
export interface McpSource extends ToolSource {
  /** The server's name. */
  readonly server: string;
  /** The connection, made if need be. Rejects with a `ToolError`, at once while the server is known to be gone. */
  connection(signal: AbortSignal): Promise<Connection>;
  /** The connection there is now; none is made. */
  current(): Connection | undefined;
  /** Calls back when what the server lists besides its tools may be another list, and with each new connection. */
  watchLists(told: (what: OtherList) => void): () => void;
  /** What the user has not seen yet of the server's tools as they are now. */
  review(signal: AbortSignal): Promise<readonly PinChange[]>;
  /** From now on these are what the user has seen: exactly these, and nothing that the server says later. */
  approve(changes: readonly PinChange[]): Promise<void>;
}

/**
 * An MCP server as a source. Its tools are what the user has seen: one that changes, or is added, stays out until it is approved. A
 * server that hangs, dies, floods or lies costs its own calls and nothing else.
 */
export function createMcpSource(options: McpSourceOptions): McpSource {
  const { name, server, project, startup = "eager" } = options;
  const collection = options.pins ?? createMemoryCollections().open("mcp-pins");
  const pins = createPins({ collection, name, server, ...(project && { folder: project.folder }) });
  const watchers = new Set<() => void>();
  const listWatchers = new Set<(what: OtherList) => void>();
  const changed = (): void => {
    for (const watcher of watchers) watcher();
  };
  const listChanged = (what: OtherList): void => {
    for (const watcher of listWatchers) watcher(what);
  };
  const session = createSession(options, { changed, listChanged });
  const shelf = createShelf(session, options);
  let hasLoaded = false;
  return {
    name: `mcp:${name}`,
    server: name,
    connection: (signal) => session.connection(signal),
    current: () => session.current(),
    watchLists(told) {
      listWatchers.add(told);
      return () => void listWatchers.delete(told);
    },
    async load(signal) {
      if (project?.isTrusted() === false) return { tools: [], problems: [untrusted(name)] };
      const isFirst = !hasLoaded && session.current() === undefined;
      hasLoaded = true;
      const cached = isFirst && startup === "lazy" ? await pins.read() : undefined;
      if (cached !== undefined) return { tools: shelf.put([...cached.values()]), problems: [] };
      try {
        return await loadPinned({ name, session, pins, shelf }, signal);
      } catch (error) {
        signal.throwIfAborted();
        return { tools: shelf.tools(), problems: [unreachable(name, error)] };
      }
    },
    watch(told) {
      watchers.add(told);
      session.keepUp();
      return () => void watchers.delete(told);
    },
    async review(signal) {
      const { definitions } = await session.definitions(signal);
      return pinChanges((await pins.read()) ?? new Map(), definitions);
    },
    async approve(changes) {
      await pins.approve(changes.map((change) => change.seen));
      changed();
    },
    close: () => session.close(),
  };
}

interface Loading {
  readonly name: string;
  readonly session: Session;
  readonly pins: Pins;
  readonly shelf: Shelf;
}

/** The server's tools as far as the user has seen them, and a problem for each of the others. */
async function loadPinned({ name, session, pins, shelf }: Loading, signal: AbortSignal): Promise<Loaded> {
  const { definitions, problems } = await session.definitions(signal);
  const changes = pinChanges(await pins.readOrPin(definitions), definitions);
  const refused = new Set(changes.map(({ tool }) => tool));
  return {
    tools: shelf.put(definitions.filter(({ definition }) => !refused.has(definition.name))),
    problems: [...problems, ...changes.map((change) => changedSince(name, change))],
  };
}

/** The tools that were made last: one that has not changed is the same object again. */
interface Shelf {
  put(hashed: readonly HashedDefinition[]): readonly Tool[];
  tools(): readonly Tool[];
}

function createShelf({ caller }: Session, options: McpSourceOptions): Shelf {
  const { trustsAnnotations = false, timeoutMs } = options;
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  let shelved = new Map<string, Tool>();
  return {
    put(hashed) {
      shelved = new Map(
        hashed.map((one): [string, Tool] => [
          one.hash,
          shelved.get(one.hash) ?? toTool(one, { caller, trustsAnnotations, ...limit }),
        ]),
      );
      return [...shelved.values()];
    },
    tools: () => [...shelved.values()],
  };
}
