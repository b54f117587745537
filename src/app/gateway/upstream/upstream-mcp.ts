import type { LoggingLevel } from "@modelcontextprotocol/server";
import { attempt } from "../../../util/async/attempt.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { askServer, currentConnection } from "../../../sources/mcp/connection/connection.ts";
import type { McpServers, McpSource } from "../../../sources/mcp/types/source-types.ts";
import type { ResourcePlace, UpstreamMcp } from "../types/gateway-types.ts";
import {
  PROMPTS,
  RESOURCES,
  TEMPLATES,
  createListing,
  splitQualified,
  type Listing,
  type UpstreamItem,
} from "./listings.ts";
import { isAtLeast } from "../calls/reports.ts";
import { createSubscriptions } from "./subscriptions.ts";

/** Serves what the MCP servers of an engine offer besides tools. A list does not wait for a server that is not connected yet. */
export function createUpstream({ sources }: Pick<McpServers, "sources">): UpstreamMcp {
  const prompts = createListing(sources, PROMPTS);
  const resources = createListing(sources, RESOURCES);
  const templates = createListing(sources, TEMPLATES);
  const subscriptions = createSubscriptions(sources);
  const locate = createLocator(sources, resources, templates);
  return {
    prompts: (signal) => prompts.list(signal),
    resources: (signal) => resources.list(signal),
    templates: (signal) => templates.list(signal),
    locate,
    async getPrompt(name, values, access, { signal, asking }) {
      const item = await prompts.find(name, signal);
      if (item === undefined) return undefined;
      access.checkPrompt(item.source.server, name);
      const params = { name: item.own, arguments: { ...values } };
      return askServer(
        item.source,
        signal,
        async ({ client }, options) => toJson(await client.getPrompt(params, options)),
        asking,
      );
    },
    async complete(request, access, signal) {
      const { ref } = request;
      const item = isObject(ref) ? await findReferenced(ref, { prompts, templates }, signal) : undefined;
      if (item === undefined || !isObject(ref)) return undefined;
      const { server } = item.source;
      const isPrompt = ref["type"] === "ref/prompt";
      if (isPrompt) access.checkPrompt(server, item.name);
      else await access.checkResource({ server, uri: item.own });
      const own = isPrompt ? { name: item.own } : { uri: item.own };
      const params = { ...request, ref: { ...ref, ...own } };
      return askServer(item.source, signal, async ({ client }, options) =>
        client.getServerCapabilities()?.completions === undefined
          ? undefined
          : toJson(await client.complete(params as never, options)),
      );
    },
    async subscribe(uri, updated, access, signal) {
      const location = await locate(uri, signal);
      if (location === undefined) return undefined;
      await access.checkResource(location);
      return subscriptions.add(location, updated, signal);
    },
    watch: (changed) => together(sources.map((source) => source.watchLists(changed))),
    watchLogs: (logged) =>
      together(sources.map((source) => source.watchLogs((log) => logged(source.server, log)))),
    instructions: () => sources.map((source) => ({ server: source.server, text: source.instructions() })),
    setLevel: createLevels(sources),
    close: () => subscriptions.close(),
  };
}

/** Returns a function that calls all of these. */
function together(stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}

/** Sends the lowest level that a client has set: each client gets what it set. A server that is not connected is not asked. */
function createLevels(sources: readonly McpSource[]): (level: LoggingLevel) => void {
  let lowest: LoggingLevel | undefined;
  return (level) => {
    if (lowest === undefined || isAtLeast(lowest, level)) lowest = level;
    for (const source of sources) {
      const client = currentConnection(source)?.client;
      if (client?.getServerCapabilities()?.logging === undefined) continue;
      void client.setLoggingLevel(lowest).catch(() => undefined);
    }
  };
}

type Locate = (uri: string, signal: AbortSignal) => Promise<ResourcePlace | undefined>;

/** Finds a resource by its listed address, by a template, or by the server in its address; one that is not listed belongs to the only candidate. */
function createLocator(sources: readonly McpSource[], resources: Listing, templates: Listing): Locate {
  return async (uri, signal) => {
    const named = splitQualified(uri);
    if (named !== undefined) return sources.some(({ server }) => server === named.server) ? named : undefined;
    const listed = await resources.find(uri, signal);
    if (listed !== undefined) return { server: listed.source.server, uri: listed.own };
    await templates.list(signal);
    const matching = templates.known().find((item) => matches(item, uri));
    if (matching !== undefined) return { server: matching.source.server, uri };
    const candidates = sources.filter(
      (source) => currentConnection(source)?.client.getServerCapabilities()?.resources !== undefined,
    );
    const sameScheme = candidates.filter((source) =>
      [...resources.known(), ...templates.known()].some(
        (item) => item.source === source && schemeOf(item.own) === schemeOf(uri),
      ),
    );
    const [only, ...others] = sameScheme.length > 0 ? sameScheme : candidates;
    return only === undefined || others.length > 0 ? undefined : { server: only.server, uri };
  };
}

function matches({ source, own }: UpstreamItem, uri: string): boolean {
  const sdk = currentConnection(source)?.sdk;
  // An invalid template matches nothing.
  return sdk !== undefined && attempt(() => new sdk.UriTemplate(own).match(uri) !== null) === true;
}

function schemeOf(uri: string): string {
  return uri.slice(0, uri.indexOf(":") + 1).toLowerCase();
}

/** Returns the prompt or template that a completion request references. */
async function findReferenced(
  ref: JsonObject,
  { prompts, templates }: { readonly prompts: Listing; readonly templates: Listing },
  signal: AbortSignal,
): Promise<UpstreamItem | undefined> {
  const { type, name, uri } = ref;
  if (type === "ref/prompt" && typeof name === "string") return prompts.find(name, signal);
  if (type === "ref/resource" && typeof uri === "string") return templates.find(uri, signal);
  return undefined;
}

function toJson(answer: object): JsonObject {
  return answer as JsonObject;
}
