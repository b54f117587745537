import { ToolError } from "../core/errors.ts";
import { isObject, type Json } from "../core/json.ts";
import { attempt } from "../util/async/attempt.ts";
import { asText } from "../util/json/parse-json.ts";
import { connect } from "./providers/connect.ts";
import type { ModelOptions } from "./providers/model-options.ts";
import type { Connection } from "./providers/provider.ts";
import { PROVIDERS } from "./providers/providers.ts";
import { defined } from "../util/json/defined.ts";

/** A model that can be used at once: its key is in the environment, or its server is running. */
export interface FoundModel {
  readonly id: string;
  readonly provider: string;
  /** The variable that has the key, or the address of the server. */
  readonly where: string;
}

/** A server of models. */
export interface Server {
  readonly baseUrl?: string | undefined;
  /** Default: the key in the environment. */
  readonly apiKey?: string | undefined;
  /** The variable that has its key; no other key is sent to it. */
  readonly keyVariable?: string | undefined;
}

/** Where models are looked for. */
export interface FindOptions extends Pick<ModelOptions, "environment" | "fetch"> {
  /** Servers by provider, or by one of its models, used instead of the variables. */
  readonly servers?: Readonly<Record<string, Server>>;
  /** Asks only servers that need no key. */
  readonly isLocal?: boolean;
  /** How long a server may take to list its models. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The model of a service that is offered first, and alone if the service does not list its models. */
const SUGGESTED: Readonly<Record<string, string>> = {
  anthropic: "claude-sonnet-4-5",
  openai: "gpt-5",
  google: "gemini-2.5-pro",
};
const TIMEOUT_MS = 10_000;
/** Older APIs of the same models. */
const OLDER: ReadonlySet<string> = new Set(["openai-chat"]);
/** Models of a list that cannot hold a conversation. */
const NO_CHAT =
  /embed|whisper|tts|audio|realtime|image|imagen|veo|transcribe|moderation|dall-e|sora|rerank|aqa/i;
/** An id is printed and stored, so that it has no spaces or control characters. */
const NAME = /^[!-~]{1,200}$/;

/**
 * Returns the models that can be used: those of services whose key is set, and those of running servers such as Ollama, LM Studio and
 * llama.cpp. Never rejects: a service that does not answer in time has only its suggested model, a server none.
 */
export async function findModels(options: FindOptions): Promise<readonly FoundModel[]> {
  const { servers = {} } = options;
  const words = Object.keys(PROVIDERS).filter((word) => !OLDER.has(word));
  const named = Object.entries(servers).filter(([, { baseUrl, keyVariable }]) => baseUrl ?? keyVariable);
  const places = [...words.map((word) => [word, servers[word] ?? {}] as const), ...named];
  const opened = places.flatMap(([id, server]) => placeOf(id.split("/", 1)[0] ?? id, server, options));
  // Models of one server may have settings of their own.
  const apart = new Map(opened.map((one) => [JSON.stringify([one.provider, one.baseUrl, one.apiKey]), one]));
  const lists = await Promise.all([...apart.values()].map((one) => findAt(one, options)));
  return [...new Map(lists.flat().map((one) => [one.id, one])).values()];
}

/**
 * Returns the names of the models of a provider that can hold a conversation. Throws `ToolError`: UNAUTHORIZED if it refuses the key,
 * UNAVAILABLE if it cannot be reached, MODEL_FAILED if it answers with something else, and as `openModel` does.
 */
export async function listModels(
  provider: string,
  server: Server,
  options: Pick<FindOptions, "environment" | "fetch" | "signal" | "timeoutMs">,
): Promise<readonly string[]> {
  const known = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  if (known === undefined) throw new ToolError("INVALID_INPUT", `unknown provider "${provider}"`);
  return listNames(connect(known, provider, "", { ...options, ...defined(server) }), options);
}

/** Returns the suggested model of each service whose key is in the environment. Asks no service. */
export function suggestedModels(
  environment: FindOptions["environment"],
  servers: NonNullable<FindOptions["servers"]> = {},
): readonly FoundModel[] {
  return Object.entries(SUGGESTED).flatMap(([provider, name]) => {
    const where = keyNameOf(provider, servers[provider] ?? {}, environment);
    return where === undefined ? [] : [{ id: `${provider}/${name}`, provider, where }];
  });
}

/** Returns the variable that has the key of a server. */
function keyNameOf(
  provider: string,
  { keyVariable }: Server,
  environment: FindOptions["environment"],
): string | undefined {
  const names = keyVariable === undefined ? (PROVIDERS[provider]?.keys ?? []) : [keyVariable];
  return names.find((name) => environment[name]);
}

/** A place that is asked for its models. */
interface OpenPlace extends Connection {
  /** Where its models are found, for people. */
  readonly where: string;
}

/** Returns how a server is reached; none if its key or address is missing, or it is not to be asked. */
function placeOf(provider: string, server: Server, options: FindOptions): readonly OpenPlace[] {
  const known = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  if (known === undefined || (options.isLocal === true && known.needsKey)) return [];
  const { environment } = options;
  const { baseUrl, keyVariable, apiKey = environment[keyVariable ?? ""] } = server;
  if (keyVariable !== undefined && !apiKey) return [];
  const connection = attempt(() =>
    connect(known, provider, "", { ...options, ...defined({ baseUrl, apiKey }) }),
  );
  if (connection === undefined) return [];
  const key = keyNameOf(provider, server, environment) ?? "a key";
  return [{ ...connection, where: known.needsKey ? key : new URL(connection.baseUrl).origin }];
}

async function findAt(place: OpenPlace, options: FindOptions): Promise<readonly FoundModel[]> {
  const { provider, where } = place;
  const names = await listNames(place, options).catch((): readonly string[] => []);
  const first = SUGGESTED[provider];
  const isFirst = first !== undefined && (names.length === 0 || names.includes(first));
  const ordered = isFirst ? [first, ...names.filter((name) => name !== first)] : names;
  return ordered.map((name) => ({ id: `${provider}/${name}`, provider, where }));
}

/** Returns the names of the models that can hold a conversation. Throws if the server does not list them in time. */
async function listNames(
  connection: Connection,
  { timeoutMs = TIMEOUT_MS, signal }: Pick<FindOptions, "timeoutMs" | "signal">,
): Promise<readonly string[]> {
  const { path, headers } = listRequest(connection);
  const deadline = AbortSignal.timeout(timeoutMs);
  const { provider, baseUrl } = connection;
  const address = `${baseUrl}${path}`;
  let response: Response | undefined;
  try {
    response = await connection.fetch(address, {
      headers,
      // A key is sent to its own service only.
      redirect: "error",
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    });
    if (response.ok) return namesIn((await response.json()) as Json);
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    if (signal?.aborted === true) throw new ToolError("CANCELLED", "the request was cancelled", { cause });
    if (response !== undefined && !deadline.aborted)
      throw notAList(`${address} answered with something else than JSON`, cause);
    const fault = deadline.aborted ? `did not answer within ${timeoutMs / 1000} s` : "cannot be reached";
    throw new ToolError("UNAVAILABLE", `${baseUrl} ${fault}`, {
      hint: "check the address, and that the server is running",
      cause,
    });
  }
  await response.body?.cancel().catch(() => undefined);
  const isRefused = response.status === 401 || response.status === 403;
  throw isRefused
    ? new ToolError("UNAUTHORIZED", `${provider} refuses the key (${response.status})`, {
        hint: "check the key: it may be incomplete, revoked, or of another service",
      })
    : notAList(`${address} answered with status ${response.status}`);
}

function notAList(message: string, cause?: unknown): ToolError {
  return new ToolError("MODEL_FAILED", message, {
    hint: "check the address: that of most servers ends in /v1",
    ...(cause !== undefined && { cause }),
  });
}

function listRequest({ provider, apiKey = "" }: Connection): {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  if (provider === "anthropic")
    return {
      path: "/models?limit=100",
      headers: { "x-api-key": apiKey, "anthropic-version": "2023-06-01" },
    };
  if (provider === "google") return { path: "/models?pageSize=200", headers: { "x-goog-api-key": apiKey } };
  const headers = apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` };
  return { path: provider === "ollama" ? "/tags" : "/models", headers };
}

/** Reads `{data: [{id}]}` of OpenAI and Anthropic, and `{models: [{name}]}` of Gemini and Ollama. */
function namesIn(answer: Json): readonly string[] {
  if (!isObject(answer)) return [];
  const entries = answer["data"] ?? answer["models"];
  if (!Array.isArray(entries)) return [];
  return entries
    .filter(isObject)
    .map(({ id, name }) => asText(id ?? name ?? "").replace(/^models\//, ""))
    .filter((name) => NAME.test(name) && !NO_CHAT.test(name));
}
