import {
  boolean,
  number,
  object,
  optional,
  record,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";
import { suggestModel } from "../../../models/suggest-model.ts";
import { setting } from "./setting.ts";
import { address, amount, count, variable } from "./setting-values.ts";

export const MODEL_ID = string(undefined, {
  pattern: "^[^/\\s]+/\\S",
  expected: "provider/name, such as anthropic/NAME or ollama/NAME",
});

const rate = optional(amount());

const MODEL_OPTIONS = object({
  baseUrl: optional(address("The address of its server")),
  keyVariable: optional(variable("The environment variable that holds its key")),
  window: optional(count("How many tokens a request and its answer may have together")),
  price: optional(
    object({ input: amount(), output: amount(), cached: rate, cacheWrite: rate }, "USD for a million tokens"),
  ),
  dialect: optional(string("How it writes calls: native, auto or the name of a text dialect")),
  repair: optional(boolean("Whether damaged calls in its text are repaired; default: true")),
  defersTools: optional(boolean("Use the provider's deferred tools; default: by the name of the model")),
  temperature: optional(number("The temperature of its requests", { min: 0, max: 2 })),
  maxOutputTokens: optional(count("How many tokens one answer may have")),
});

/** What the user configures for one model. */
export type ModelSetting = Infer<typeof MODEL_OPTIONS>;
export const MODELS = record(MODEL_OPTIONS);

export const MODEL = setting({
  summary: "model that agents use, provider/name; see docs/models.md",
  flag: "model",
  variable: "TOOLWRIGHT_MODEL",
  fallback: "",
  schema: MODEL_ID,
  hintOf: (written) => {
    const meant = suggestModel(written);
    return meant === undefined ? undefined : `did you mean ${meant}?`;
  },
  isTrustable: true,
});
