import { ToolError } from "../core/errors.ts";
import type { Model } from "../core/agent/model.ts";
import { nearHint } from "../util/text/near-hint.ts";
import { toModel } from "./providers/adapt.ts";
import type { ModelOptions } from "./providers/model-options.ts";
import type { Connection, Provider } from "./providers/provider.ts";
import { PROVIDERS } from "./providers/providers.ts";
import type { SdkModel } from "./providers/sdk.ts";
import { TIMEOUT_MS, windowOf, withDialect } from "./model-defaults.ts";
import { openScriptedModel } from "./scripted.ts";

const NAMES: readonly string[] = [...Object.keys(PROVIDERS), "scripted"];

/**
 * Opens the model with this id, `provider/name`; the name may contain slashes and colons. Throws `ToolError`: INVALID_INPUT for an
 * unknown provider or an invalid id or address, MISSING_CREDENTIALS if the key is missing. Sends no request, and loads the
 * provider's package with the first one.
 */
export async function openModel(id: string, options: ModelOptions): Promise<Model> {
  const [word, name] = splitId(id);
  if (word === "scripted") return withDialect(openScriptedModel(name, options), name, false, options);
  const provider = Object.hasOwn(PROVIDERS, word) ? PROVIDERS[word] : undefined;
  if (provider === undefined)
    throw new ToolError("INVALID_INPUT", `unknown provider ${JSON.stringify(word)}`, {
      hint: nearHint(word.toLowerCase(), NAMES, `providers are ${NAMES.join(", ")}`),
    });
  const connection = connect(provider, word, name, options);
  const { retry = {}, timeoutMs = TIMEOUT_MS, price, reasoning } = options;
  const { baseUrl, apiKey = "", headers } = connection;
  const native = toModel({
    format: provider.format,
    capabilities: provider.capabilities,
    window: options.window ?? windowOf(provider, name),
    price,
    reasoning,
    recipient: { id, name, baseUrl, keys: provider.keys, secrets: secretsOf(apiKey, headers) },
    retry,
    timeoutMs,
    load: once(() => provider.open(connection)),
  });
  return withDialect(native, name, provider.leaks, options);
}

function splitId(id: string): readonly [string, string] {
  const slash = id.indexOf("/");
  if (slash > 0 && slash < id.length - 1) return [id.slice(0, slash), id.slice(slash + 1)];
  throw new ToolError("INVALID_INPUT", `invalid model id ${JSON.stringify(id)}`, {
    hint: `write provider/name; providers are ${NAMES.join(", ")}`,
  });
}

function connect(provider: Provider, word: string, name: string, options: ModelOptions): Connection {
  const { environment, headers = {}, fetch = globalThis.fetch } = options;
  const { keys, needsKey } = provider;
  const candidates = [options.apiKey, ...keys.map((key) => environment[key])];
  const apiKey = candidates.find((key) => key !== undefined && key !== "");
  if (apiKey === undefined && needsKey)
    throw new ToolError("MISSING_CREDENTIALS", `${word} needs a key, but ${keys.join(" or ")} is not set`, {
      hint: `set ${keys[0] ?? "a key"} in the environment`,
      details: { variables: [...keys] },
    });
  return { provider: word, name, baseUrl: addressOf(provider, word, options), apiKey, headers, fetch };
}

/** Adds the default path to an address without one, since the variables for addresses are often set so. */
function addressOf(
  { address, addressKey }: Provider,
  word: string,
  { baseUrl, environment }: ModelOptions,
): string {
  const given = baseUrl ?? (addressKey === undefined ? undefined : environment[addressKey]);
  const chosen = given === undefined || given === "" ? address : given;
  if (chosen === undefined)
    throw new ToolError("INVALID_INPUT", `${word} needs the address of a server`, {
      hint: `set the base URL${addressKey === undefined ? "" : ` or ${addressKey}`}`,
    });
  const url = URL.parse(/^https?:\/\//i.test(chosen) ? chosen : `http://${chosen}`);
  // fetch rejects an address with a password, and its error would show the password.
  if (url === null || url.username !== "" || url.password !== "")
    throw new ToolError("INVALID_INPUT", `the address of ${word} is not a URL without a password`, {
      hint: "write http://host:port/path, and send a password as a header or key",
    });
  const path = address === undefined ? "/v1" : new URL(address).pathname;
  return `${url.origin}${url.pathname === "/" ? path : url.pathname.replace(/\/+$/, "")}`;
}

/** Returns the values to mask in messages. A header may hold a key; a shorter value would also mask ordinary words. */
function secretsOf(apiKey: string, headers: Readonly<Record<string, string>>): readonly string[] {
  return [apiKey, ...Object.values(headers).filter((value) => value.length >= 8)];
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
