import { ToolError } from "../../core/errors.ts";
import type { Model } from "../../core/agent/model.ts";
import type { AgentSettings, ConfigGroups } from "../config/groups.ts";
import type { ModelOptions } from "../../models/providers/model-options.ts";
import type { ModelSetting } from "../config/setting-values.ts";
import type { FindOptions, FoundModel } from "../../models/found.ts";
import { defined } from "../../util/json/defined.ts";
import { openModel } from "../../models/open-model.ts";

/** Opens a model, by default that of the config, with its settings. Throws if none is set or its key is missing. */
export async function openConfiguredModel(
  config: ConfigGroups<"agent" | "paths" | "environment">,
  id: string = config.agent.model,
): Promise<Model> {
  if (id === "")
    throw new ToolError("INVALID_INPUT", "no model is set", {
      hint: `name one with --model provider/name, or as "model" in ${config.paths.files.user}; docs/models.md lists the providers`,
    });
  const { baseUrl, keyVariable, window, price, dialect, defersTools } = settingOf(config.agent, id);
  const apiKey = keyVariable === undefined ? undefined : config.environment.variables[keyVariable];
  if (keyVariable !== undefined && !apiKey)
    throw new ToolError("MISSING_CREDENTIALS", `${id} needs its key, and ${keyVariable} is not set`, {
      hint: `set ${keyVariable} in the environment`,
    });
  return openModel(id, {
    environment: config.environment.variables,
    folder: config.paths.workspace[0],
    // An unknown dialect is refused there.
    ...defined({
      apiKey,
      baseUrl,
      window,
      price,
      defersTools,
      dialect: dialect as ModelOptions["dialect"],
    }),
  });
}

/**
 * Opens the model of the config; without one, the first model whose key is in the environment, which `notify` gets. Asks no server. Throws
 * if there is none.
 */
export async function openUsableModel(
  config: ConfigGroups<"agent" | "paths" | "environment">,
  notify: (line: string) => void,
): Promise<Model> {
  if (config.agent.model !== "") return openConfiguredModel(config);
  const { suggestedModels } = await import("../../models/found.ts");
  const [found] = suggestedModels(config.environment.variables);
  if (found === undefined) return openConfiguredModel(config);
  notify(
    `no model is set, using ${found.id} (${found.where}); toolwright config set model ${found.id} sets it`,
  );
  return openConfiguredModel(config, found.id);
}

/** Returns the settings of a model, over those of its provider. */
export function settingOf({ models }: AgentSettings, id: string): ModelSetting {
  const [provider = ""] = id.split("/", 1);
  return { ...models[provider], ...models[id] };
}

/**
 * Returns the models that can be chosen: those that the config names, and those whose key is set or whose server runs. Never rejects.
 * `isLocal` asks only servers that need no key.
 */
export async function findConfiguredModels(
  {
    agent: { model, models },
    environment: { variables },
    paths: { files },
  }: ConfigGroups<"agent" | "environment" | "paths">,
  options: Pick<FindOptions, "isLocal" | "timeoutMs" | "signal"> = {},
): Promise<readonly FoundModel[]> {
  const { findModels } = await import("../../models/found.ts");
  const addresses = Object.fromEntries(Object.entries(models).map(([name, { baseUrl }]) => [name, baseUrl]));
  const found = await findModels({ ...options, environment: variables, addresses });
  const named = new Set([model, ...Object.keys(models)].filter((id) => id.includes("/")));
  const configured = [...named].map((id) => ({ id, provider: id.split("/", 1)[0] ?? id, where: files.user }));
  return [...configured, ...found.filter(({ id }) => !named.has(id))];
}

/** Stands in until a model is chosen: requests throw, everything else works. */
export const NO_MODEL: Model = {
  id: "no model",
  format: "openai",
  window: 128_000,
  price: { input: 0, output: 0 },
  stream() {
    throw new ToolError("INVALID_INPUT", "no model is set", {
      hint: "choose one: /model provider/name; docs/models.md lists the providers",
    });
  },
};
