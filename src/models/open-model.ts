import { checkOptions, type OptionKinds } from "../util/json/check-options.ts";
import { ToolError } from "../core/errors.ts";
import type { Model } from "../core/agent/model.ts";
import { nearHint } from "../util/text/near-hint.ts";
import { toModel } from "./providers/adapt.ts";
import type { ModelOptions } from "./providers/model-options.ts";
import { connect } from "./providers/connect.ts";
import { PROVIDERS } from "./providers/providers.ts";
import { MAX_TOOLS } from "./providers/tool-limits.ts";
import type { Capabilities, Provider } from "./providers/provider.ts";
import type { SdkModel } from "./providers/sdk.ts";
import { TIMEOUT_MS, priceAt, windowOf, withDialect } from "./model-defaults.ts";
import { suggestModel } from "./suggest-model.ts";
import { openScriptedModel } from "./scripted.ts";

const NAMES: readonly string[] = [...Object.keys(PROVIDERS), "scripted"];

const KINDS: OptionKinds<ModelOptions> = {
  environment: "an object",
  baseUrl: "a text",
  apiKey: "a text",
  headers: "an object",
  window: "a positive number",
  price: "an object",
  dialect: "a text",
  leaks: "true or false",
  startsInReasoning: "true or false",
  repair: "true or false",
  defersTools: "true or false",
  reasoning: "a text",
  retry: "an object",
  fetch: "a function",
  timeoutMs: "a positive number",
  folder: "a text",
};

/**
 * Opens the model with this id, `provider/name`; the name may contain slashes and colons. Throws `ToolError`: INVALID_INPUT for an
 * unknown provider or an invalid id or address, MISSING_CREDENTIALS if the key is missing. Sends no request, and loads the
 * provider's package with the first one.
 */
export async function openModel(id: string, options: ModelOptions): Promise<Model> {
  const [word, name] = splitId(id);
  // A program without types may leave them out.
  const settings: Partial<ModelOptions> = options ?? {};
  checkOptions("openModel", settings, KINDS);
  if (word === "scripted")
    return withDialect(openScriptedModel(name, settings), name, { leaksByDefault: false }, settings);
  const provider = Object.hasOwn(PROVIDERS, word) ? PROVIDERS[word] : undefined;
  if (provider === undefined)
    throw new ToolError("INVALID_INPUT", `unknown provider ${JSON.stringify(word)}`, {
      hint: nearHint(word.toLowerCase(), NAMES, `providers are ${NAMES.join(", ")}`),
    });
  // The environment of the process is never read by itself.
  if (settings.environment === undefined)
    throw new ToolError("INVALID_INPUT", `the environment for ${id} is missing`, {
      hint: "pass { environment: process.env }, which has its key and address",
    });
  const connection = connect(provider, word, name, options);
  const { retry = {}, timeoutMs = TIMEOUT_MS, reasoning } = options;
  const { baseUrl, apiKey = "", headers } = connection;
  const secrets = secretsOf(apiKey, headers);
  const proxyHint = options.fetch === undefined ? proxyHintOf(baseUrl, options.environment) : undefined;
  const startHint = isLocal(baseUrl) ? provider.startHint : undefined;
  const native = toModel({
    format: provider.format,
    capabilities: capabilitiesOf(provider, name, options),
    window: options.window ?? windowOf(provider, name),
    price: options.price ?? priceAt(provider, name, baseUrl),
    maxTools: MAX_TOOLS[word],
    reasoning,
    recipient: { id, name, baseUrl, keys: provider.keys, secrets, proxyHint, startHint },
    retry,
    timeoutMs,
    load: once(() => provider.open(connection)),
  });
  return withDialect(native, name, { leaksByDefault: provider.leaks }, options);
}

/** Returns what the provider accepts in requests to this model. */
function capabilitiesOf(
  { capabilities, defersTools }: Provider,
  name: string,
  options: ModelOptions,
): Capabilities {
  if (options.defersTools ?? defersTools?.test(name) === true) return capabilities;
  const { bringsTools: _, ...others } = capabilities;
  return others;
}

function splitId(id: string): readonly [string, string] {
  const slash = typeof id === "string" ? id.indexOf("/") : -1;
  if (slash > 0 && slash < id.length - 1) return [id.slice(0, slash), id.slice(slash + 1)];
  throw new ToolError("INVALID_INPUT", `invalid model id ${JSON.stringify(id)}`, {
    hint: idHint(id),
  });
}

/** Returns the values to mask in messages. A header may hold a key; a shorter value would also mask ordinary words. */
function secretsOf(apiKey: string, headers: Readonly<Record<string, string>>): readonly string[] {
  return [apiKey, ...Object.values(headers).filter((value) => value.length >= 8)];
}

function idHint(id: unknown): string {
  const meant = suggestModel(id);
  const known = `write provider/name; providers are ${NAMES.join(", ")}`;
  return meant === undefined ? known : `did you mean ${meant}? ${known}`;
}

function isLocal(baseUrl: string): boolean {
  return LOCAL.has(new URL(baseUrl).hostname);
}

const LOCAL: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Node's `fetch` uses the proxy of the environment only if a variable says so; its errors do not name it. */
function proxyHintOf(baseUrl: string, environment: ModelOptions["environment"]): string | undefined {
  const scheme = new URL(baseUrl).protocol.slice(0, -1);
  // Servers on this machine are rarely behind a proxy.
  if (isLocal(baseUrl)) return undefined;
  const variable = [`${scheme}_proxy`, `${scheme}_proxy`.toUpperCase()].find((one) => environment[one]);
  if (variable === undefined) return undefined;
  return environment["NODE_USE_ENV_PROXY"] === "1"
    ? `, through the proxy in ${variable} unless NO_PROXY has its host`
    : `; the proxy in ${variable} is used only if NODE_USE_ENV_PROXY is 1, by Node 22.21 or later`;
}

/** Loads once; a failed load is tried again with the next call. */
function once(load: () => Promise<SdkModel>): () => Promise<SdkModel> {
  let loaded: Promise<SdkModel> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
