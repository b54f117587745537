import { ToolError } from "../core/errors.ts";
import type { Model } from "../core/agent/model.ts";
import { adapt } from "./providers/adapt.ts";
import type { ModelOptions } from "./answer/model-options.ts";
import type { Connection, Provider } from "./providers/provider.ts";
import { PROVIDERS } from "./providers/providers.ts";
import type { SdkModel } from "./answer/sdk.ts";
import { withLeakedCalls, withTextCalls } from "./text-model.ts";
import { windowOf } from "./providers/windows.ts";

const SILENCE_MS = 300_000;
const NAMES: readonly string[] = [...Object.keys(PROVIDERS), "scripted"];

/**
 * The model of that id, `provider/name`; the name may have slashes and colons of its own. Throws `ToolError`: INVALID_INPUT for
 * an id that names no model, MISSING_CREDENTIALS where the key is not there. Asks nobody, and loads nothing of a provider's
 * before the first request.
 */
export async function openModel(id: string, options: ModelOptions): Promise<Model> {
  const [word, name] = splitId(id);
  if (word === "scripted") {
    const { openScriptedModel } = await import("./scripted.ts");
    return reading(await openScriptedModel(name, options), false, options);
  }
  const provider = Object.hasOwn(PROVIDERS, word) ? PROVIDERS[word] : undefined;
  if (provider === undefined) throw unknownProvider(word);
  const connection = connect(provider, { word, name, options });
  const { retry = {}, timeoutMs = SILENCE_MS, price, reasoning } = options;
  const { baseUrl, apiKey = "", headers } = connection;
  const native = adapt({
    format: provider.format,
    manner: provider.manner,
    window: options.window ?? windowOf(word, name),
    price,
    reasoning,
    recipient: { id, name, baseUrl, keys: provider.keys, secrets: secretsOf(apiKey, headers) },
    retry,
    timeoutMs,
    load: once(() => provider.open(connection)),
  });
  return reading(native, provider.leaks, options);
}

function splitId(id: string): readonly [string, string] {
  const slash = id.indexOf("/");
  if (slash > 0 && slash < id.length - 1) return [id.slice(0, slash), id.slice(slash + 1)];
  throw new ToolError("INVALID_INPUT", `${JSON.stringify(id)} names no model`, {
    hint: `write provider/name; providers are ${NAMES.join(", ")}`,
  });
}

function unknownProvider(word: string): ToolError {
  const near = NAMES.filter((name) => isNear(word.toLowerCase(), name));
  return new ToolError("INVALID_INPUT", `there is no provider ${JSON.stringify(word)}`, {
    hint: near.length > 0 ? `did you mean ${near.join(" or ")}?` : `providers are ${NAMES.join(", ")}`,
  });
}

/** The names are few and unlike each other: a shared beginning or one in the other is near enough. */
function isNear(word: string, name: string): boolean {
  return (
    word.length > 1 && (word.slice(0, 2) === name.slice(0, 2) || name.includes(word) || word.includes(name))
  );
}

interface Named {
  readonly word: string;
  readonly name: string;
  readonly options: ModelOptions;
}

function connect(provider: Provider, { word, name, options }: Named): Connection {
  const { environment, headers = {} } = options;
  const candidates = [options.apiKey, ...provider.keys.map((key) => environment[key])];
  const apiKey = candidates.find((key) => key !== undefined && key !== "");
  if (apiKey === undefined && provider.needsKey)
    throw new ToolError(
      "MISSING_CREDENTIALS",
      `${word} needs a key, and ${provider.keys.join(" or ")} is not set`,
      {
        hint: `set ${provider.keys[0] ?? "a key"} in the environment`,
        details: { variables: [...provider.keys] },
      },
    );
  const fetch = options.fetch ?? globalThis.fetch;
  return { provider: word, name, baseUrl: addressOf(provider, word, options), apiKey, headers, fetch };
}

/** An address without a path gets the usual one, since that is how the variables for it are often set. */
function addressOf(
  { address, addressKey }: Provider,
  word: string,
  { baseUrl, environment }: ModelOptions,
): string {
  const given = baseUrl ?? (addressKey === undefined ? undefined : environment[addressKey]);
  const chosen = given === undefined || given === "" ? address : given;
  if (chosen === undefined)
    throw new ToolError("INVALID_INPUT", `${word} needs the address of a server`, {
      hint: `give a base URL${addressKey === undefined ? "" : `, or set ${addressKey}`}`,
    });
  const full = /^https?:\/\//i.test(chosen) ? chosen : `http://${chosen}`;
  const url = URL.parse(full);
  // One with a password is refused by every fetch, and would be shown when it fails.
  if (url === null || url.username !== "" || url.password !== "")
    throw new ToolError("INVALID_INPUT", `the address of ${word} is none that can be asked`, {
      hint: "write it as http://host:port/path, and a password as a header or a key",
    });
  const path = address === undefined ? "/v1" : new URL(address).pathname;
  return `${url.origin}${url.pathname === "/" ? path : url.pathname.replace(/\/+$/, "")}`;
}

/** A header may hold a key; one too short to be one stands for nothing that could be told apart from other words. */
function secretsOf(apiKey: string, headers: Readonly<Record<string, string>>): readonly string[] {
  return [apiKey, ...Object.values(headers).filter((value) => value.length >= 8)];
}

function reading(native: Model, usuallyLeaks: boolean, { dialect = "native", leaks }: ModelOptions): Model {
  if (dialect !== "native" && dialect !== "auto") return withTextCalls(native, dialect);
  return (leaks ?? (dialect === "auto" || usuallyLeaks)) ? withLeakedCalls(native) : native;
}

/** A package that could not be loaded is asked for again. */
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
