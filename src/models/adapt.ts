import type { Model, ModelFormat } from "../core/agent/model.ts";
import { ToolError } from "../core/errors.ts";
import { TIMEOUT_MS, windowOf, withDialect } from "./model-defaults.ts";
import { toModel } from "./providers/adapt.ts";
import type { ModelOptions } from "./providers/model-options.ts";
import type { Provider } from "./providers/provider.ts";
import { PROVIDERS } from "./providers/providers.ts";
import { MAX_TOOLS } from "./providers/tool-limits.ts";
import type { SdkModel } from "./providers/sdk.ts";

/** A language model of the AI SDK, version 7, from any of its provider packages. */
export interface LanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: never): PromiseLike<{ readonly stream: { getReader(): unknown } }>;
}

type SharedOptions =
  | ("window" | "price" | "dialect" | "leaks" | "startsInReasoning" | "repair")
  | ("reasoning" | "retry" | "timeoutMs");

/** What is not known of a model of another SDK, and how it is used. */
export interface AdaptOptions extends Pick<ModelOptions, SharedOptions> {
  /** The format whose limits on names and schemas hold. Default: by the model's provider, else `openai`. */
  readonly format?: ModelFormat;
}

/** Returns a language model of the AI SDK as a `Model`, which drives an agent. Throws `INVALID_INPUT` for another version of the SDK. */
export function adapt(model: LanguageModel, options: AdaptOptions = {}): Model {
  const { specificationVersion: version, provider: owner, modelId: name } = model;
  if (version !== "v4")
    throw new ToolError("INVALID_INPUT", `the model ${owner}/${name} has specification ${version}`, {
      hint: "use a provider package of AI SDK 7, whose models have specification v4",
    });
  const [word, provider] = providerOf(owner);
  const { window = windowOf(provider, name), price, reasoning, retry = {}, timeoutMs = TIMEOUT_MS } = options;
  const id = `${owner}/${name}`;
  // The names of its models, and of the settings of its package, may be others.
  const { bringsTools: _, ...others } = provider.capabilities;
  const native = toModel({
    format: options.format ?? provider.format,
    capabilities: { ...others, hasPlainSchemas: true },
    window,
    price,
    maxTools: MAX_TOOLS[word],
    reasoning,
    recipient: { id, name, baseUrl: owner, keys: provider.keys, secrets: [] },
    retry,
    timeoutMs,
    load: () => Promise.resolve(model as unknown as SdkModel),
  });
  return withDialect(native, name, { leaksByDefault: false }, options);
}

/** The provider whose API a package talks to, by words in its name, such as `anthropic.messages` or `azure.responses`. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/anthropic/, "anthropic"],
  [/google|vertex/, "google"],
  [/(?:openai|azure).*responses/, "openai"],
  [/^(?:openai|azure)\b/, "openai-chat"],
];

function providerOf(owner: string): readonly [word: string, Provider] {
  const [, known = "compatible"] = KNOWN.find(([pattern]) => pattern.test(owner)) ?? [];
  return [known, PROVIDERS[known] as Provider];
}
