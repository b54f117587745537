import { MCP_SOURCE_KINDS } from "./types/source-kinds.ts";
import { checkOptions } from "../../util/json/check-options.ts";
import { createListeners } from "../../util/async/listeners.ts";
import { defined } from "../../util/json/defined.ts";
import { createSecretFeed } from "../secret-feed.ts";
import { secretsOfServer } from "./config/config.ts";
import { toolNameOf } from "./tools/names.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { ToolError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Loaded } from "../../core/source.ts";
import type { Tool } from "../../core/tool.ts";
import type { ServerLog } from "./types/client-keys.ts";
import type {
  HashedDefinition,
  McpMessage,
  McpSource,
  McpSourceOptions,
  OtherList,
} from "./types/source-types.ts";
import { pinChanges, createPins, type Pins } from "./tools/pins.ts";
import { changedSince, unreachable, untrusted } from "./tools/problems.ts";
import { createSession, type Session } from "./session.ts";
import { createApprovalWatch, reviewChanges } from "./tools/pin-approvals.ts";
import { INSTRUCTIONS } from "./tools/definition.ts";
import { toTool } from "./tools/to-tool.ts";

/**
 * Creates a source from an MCP server. Only approved tools are offered: one that changes or is added later stays out until the user
 * approves it. A server that hangs, crashes or floods affects its own calls only.
 */
export function createMcpSource(options: McpSourceOptions): McpSource {
  const { name, server, project, startup = "eager" } = checked(options);
  const collection = options.pins ?? createMemoryCollections().open("mcp-pins");
  const pins = createPins({ collection, name, server, ...(project && { folder: project.folder }) });
  const { tools, lists, logs, messages } = createSourceListeners();
  const { emit: changed } = tools;
  const secrets = createSecretFeed(secretsOfServer(server), options.onSecret);
  const session = createSession(
    { ...options, onSecret: secrets.add },
    { changed, listChanged: lists.emit, logged: logs.emit, messages },
  );
  const cache = createToolCache(session, options);
  const approvals = createApprovalWatch(pins, changed);
  const isTrusted = (): boolean => project?.isTrusted() !== false;
  let hasLoaded = false;
  return {
    name: `mcp:${name}`,
    server: name,
    mayProvide: (tool) => tool.startsWith(toolNameOf(name, "")),
    teachSecrets: secrets.teach,
    connection: (signal) => session.connection(signal),
    current: () => session.current(),
    instructions: () => cache.instructions(),
    watchLists: lists.add,
    watchLogs: logs.add,
    watchMessages: messages.add,
    stored: async () => (startup === "eager" && isTrusted() ? lastTools(pins, cache, session) : undefined),
    async load(signal) {
      if (!isTrusted()) return { tools: [], problems: [untrusted(name)] };
      const isFirst = !hasLoaded && session.current() === undefined;
      hasLoaded = true;
      const last = isFirst && startup === "lazy" ? await lastLoad(pins, cache, name) : undefined;
      if (last !== undefined) return last;
      try {
        const loading = { pins, cache, acceptsChanges: options.acceptsChanges === true };
        const loaded = await loadPinned(session, loading, signal);
        await approvals.follow(tools.isAny() && loaded.problems.some(({ reason }) => reason === "changed"));
        return loaded;
      } catch (error) {
        signal.throwIfAborted();
        return { tools: cache.tools(), problems: [unreachable(name, error)] };
      }
    },
    watch(watcher) {
      session.keepConnected();
      return tools.add(watcher);
    },
    review: (signal) => reviewChanges(pins, async () => (await session.definitions(signal)).definitions),
    async approve(changes) {
      await pins.approve(changes.map((change) => change.seen));
      changed();
    },
    async close() {
      approvals.stop();
      await session.close();
    },
  };
}

function createSourceListeners() {
  return {
    tools: createListeners<[]>(),
    lists: createListeners<[OtherList]>(),
    logs: createListeners<[ServerLog]>(),
    messages: createListeners<[McpMessage]>(),
  };
}

/** Throws `INVALID_INPUT` for what types refuse, such as an entry of `mcpServers`; without an environment a program would get all of ours. */
function checked(options: McpSourceOptions): McpSourceOptions {
  checkOptions("createMcpSource", options, MCP_SOURCE_KINDS);
  const { name, server } = options;
  const wrong = isObject(server) ? wrongField(server) : "server";
  if (wrong === undefined) return options;
  throw new ToolError("INVALID_INPUT", `MCP server "${name}": ${wrong} is missing or invalid`, {
    hint: 'use { kind: "stdio", command, args, environment, cwd } or { kind: "http", url, headers, transport }',
  });
}

/** Returns the first field that a connection needs and that is missing or invalid. */
function wrongField({ kind, command, args, environment, url, headers }: JsonObject): string | undefined {
  const checks: Readonly<Record<string, boolean>> =
    kind === "stdio"
      ? {
          command: typeof command === "string" && command !== "",
          args: Array.isArray(args),
          environment: isObject(environment),
        }
      : { kind: kind === "http", url: URL.canParse(url as string), headers: isObject(headers) };
  return Object.keys(checks).find((field) => checks[field] === false);
}

/** Returns the approved tools that the server listed the last time; undefined if the server has started in the meantime, or was never used. */
async function lastTools(
  pins: Pins,
  cache: ReturnType<typeof createToolCache>,
  session: Session,
): Promise<readonly Tool[] | undefined> {
  const pinned = await pins.readListed();
  const isLate = pinned === undefined || session.current() !== undefined;
  return isLate ? undefined : cache.put([...pinned.values()]);
}

interface Loading {
  readonly pins: Pins;
  readonly cache: ReturnType<typeof createToolCache>;
  readonly acceptsChanges: boolean;
}

/**
 * Returns the tools of the last time, without starting the server, and a problem for each change that an earlier process noted; undefined if
 * there was none.
 */
async function lastLoad(
  pins: Pins,
  cache: ReturnType<typeof createToolCache>,
  server: string,
): Promise<Loaded | undefined> {
  const [pinned, listed] = [await pins.read(), await pins.readListed()];
  if (pinned === undefined || listed === undefined) return undefined;
  const { definitions } = await pins.pending();
  const problems = pinChanges(pinned, definitions).map((change) => changedSince(server, change));
  return { tools: cache.put([...listed.values()]), problems };
}

/** Loads the approved tools of the server, and a problem for each of the others. */
async function loadPinned(
  session: Session,
  { pins, cache, acceptsChanges }: Loading,
  signal: AbortSignal,
): Promise<Loaded> {
  const { definitions, problems } = await session.definitions(signal);
  const pinned = await pins.readOrPin(definitions);
  const differences = pinChanges(pinned, definitions);
  if (acceptsChanges && differences.length > 0) await pins.approve(differences.map(({ seen }) => seen));
  const changes = acceptsChanges ? [] : differences;
  const waiting = await pins.notePending(changes.map(({ seen }) => seen));
  const refused = new Set(changes.map(({ tool }) => tool));
  const offered = definitions.filter(({ definition }) => !refused.has(definition.name));
  // Instead of instructions that have changed, the approved ones.
  const approved = refused.has(INSTRUCTIONS) ? pinned.get(INSTRUCTIONS) : undefined;
  return {
    tools: cache.put([
      ...offered.map((one) => withPinnedTitle(one, pinned.get(one.definition.name))),
      ...(approved === undefined ? [] : [approved]),
    ]),
    problems: [
      ...problems,
      ...pinChanges(pinned, waiting).map((change) => changedSince(session.caller.name, change)),
    ],
  };
}

/** Returns an unchanged tool with the title that was approved: people decide by it, and its hash does not cover it. */
function withPinnedTitle(seen: HashedDefinition, pinned: HashedDefinition | undefined): HashedDefinition {
  const title = pinned?.definition.extra?.["title"];
  const { title: newTitle, ...others } = seen.definition.extra ?? {};
  if (pinned?.hash !== seen.hash || title === newTitle) return seen;
  return { ...seen, definition: { ...seen.definition, extra: { ...others, ...defined({ title }) } } };
}

/** Holds the tools and instructions of the last load: an unchanged tool stays the same object. */
function createToolCache({ caller }: Session, options: McpSourceOptions) {
  let cached = new Map<string, Tool>();
  let instructions = "";
  return {
    put(hashed: readonly HashedDefinition[]): readonly Tool[] {
      const isTool = ({ definition }: HashedDefinition): boolean => definition.name !== INSTRUCTIONS;
      instructions = hashed.find((one) => !isTool(one))?.definition.description ?? instructions;
      cached = new Map(
        hashed
          .filter(isTool)
          .map((one) => [one.hash, cached.get(one.hash) ?? toTool(one, caller, options)] as const),
      );
      return [...cached.values()];
    },
    tools: () => [...cached.values()],
    instructions: () => instructions,
  };
}
