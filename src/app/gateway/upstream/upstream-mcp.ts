import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import type { Connection } from "../../../sources/mcp/connection/connect.ts";
import type { McpServers } from "../../../sources/mcp/registry.ts";
import type { McpSource } from "../../../sources/mcp/source.ts";
import type { Offer, Offers } from "./upstream-offers.ts";
import { PROMPTS, RESOURCES, TEMPLATES, createOffers, splitQualified } from "./upstream-offers.ts";
import { createSubscriptions } from "./upstream-subscriptions.ts";
import type { ResourcePlace, UpstreamMcp } from "./upstream.ts";

/** How long a server may take for a prompt, or for what could complete an argument. */
const TIMEOUT_MS = 30_000;

/** What the MCP servers of an engine have besides tools, for clients of ours. Lists wait for no server that is not there yet. */
export function createUpstream({ sources }: Pick<McpServers, "sources">): UpstreamMcp {
  const prompts = createOffers(sources, PROMPTS);
  const resources = createOffers(sources, RESOURCES);
  const templates = createOffers(sources, TEMPLATES);
  const subscriptions = createSubscriptions(sources);
  const place = createLocator(sources, resources, templates);
  return {
    prompts: (signal) => prompts.list(signal),
    resources: (signal) => resources.list(signal),
    templates: (signal) => templates.list(signal),
    locate: place,
    async getPrompt(name, values, admission, signal) {
      const offer = await prompts.find(name, signal);
      if (offer === undefined) return undefined;
      admission.admitPrompt(offer.source.server, name);
      const params = { name: offer.own, arguments: { ...values } };
      return ask(offer.source, signal, ({ client }, options) => client.getPrompt(params, options));
    },
    async complete(request, admission, signal) {
      const { ref } = request;
      const offer = isObject(ref) ? await referred(ref, { prompts, templates }, signal) : undefined;
      if (offer === undefined || !isObject(ref)) return undefined;
      const { server } = offer.source;
      const isPrompt = ref["type"] === "ref/prompt";
      if (isPrompt) admission.admitPrompt(server, offer.name);
      else await admission.admitResource({ server, uri: offer.own });
      const own = isPrompt ? { name: offer.own } : { uri: offer.own };
      const params = { ...request, ref: { ...ref, ...own } };
      return ask(offer.source, signal, async ({ client }, options) =>
        client.getServerCapabilities()?.completions === undefined
          ? undefined
          : client.complete(params as never, options),
      );
    },
    async subscribe(uri, updated, admission, signal) {
      const found = await place(uri, signal);
      if (found === undefined) return undefined;
      await admission.admitResource(found);
      return subscriptions.add(found, updated, signal);
    },
    watch(changed) {
      const stops = sources.map((source) => source.watchLists(changed));
      return () => {
        for (const stop of stops) stop();
      };
    },
    close: () => subscriptions.close(),
  };
}

type Locate = (uri: string, signal: AbortSignal) => Promise<ResourcePlace | undefined>;

/** By its listed address, by a template, or with its server named; one that nobody lists belongs to the only server it can be of. */
function createLocator(sources: readonly McpSource[], resources: Offers, templates: Offers): Locate {
  return async (uri, signal) => {
    const named = splitQualified(uri);
    if (named !== undefined) return sources.some(({ server }) => server === named.server) ? named : undefined;
    const listed = await resources.find(uri, signal);
    if (listed !== undefined) return { server: listed.source.server, uri: listed.own };
    await templates.list(signal);
    const fitting = templates.known().find((offer) => fits(offer, uri));
    if (fitting !== undefined) return { server: fitting.source.server, uri };
    const candidates = sources.filter(
      (source) => source.current()?.client.getServerCapabilities()?.resources !== undefined,
    );
    const alike = candidates.filter((source) =>
      [...resources.known(), ...templates.known()].some(
        (offer) => offer.source === source && schemeOf(offer.own) === schemeOf(uri),
      ),
    );
    const [only, ...others] = alike.length > 0 ? alike : candidates;
    return only === undefined || others.length > 0 ? undefined : { server: only.server, uri };
  };
}

function fits({ source, own }: Offer, uri: string): boolean {
  const sdk = source.current()?.sdk;
  if (sdk === undefined) return false;
  try {
    return new sdk.UriTemplate(own).match(uri) !== null;
  } catch {
    // A template that cannot be read matches nothing.
    return false;
  }
}

function schemeOf(uri: string): string {
  return uri.slice(0, uri.indexOf(":") + 1).toLowerCase();
}

/** The prompt or template that a request to complete is about. */
async function referred(
  ref: JsonObject,
  { prompts, templates }: { readonly prompts: Offers; readonly templates: Offers },
  signal: AbortSignal,
): Promise<Offer | undefined> {
  const { type, name, uri } = ref;
  if (type === "ref/prompt" && typeof name === "string") return prompts.find(name, signal);
  if (type === "ref/resource" && typeof uri === "string") return templates.find(uri, signal);
  return undefined;
}

interface AskOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** Rejects with a `ToolError`, at once where the server is known to be gone. */
async function ask(
  source: McpSource,
  signal: AbortSignal,
  request: (connection: Connection, options: AskOptions) => Promise<object | undefined>,
): Promise<JsonObject | undefined> {
  const connection = await source.connection(signal);
  try {
    return (await request(connection, { signal, timeout: TIMEOUT_MS })) as JsonObject | undefined;
  } catch (error) {
    signal.throwIfAborted();
    throw connection.fault(error);
  }
}
