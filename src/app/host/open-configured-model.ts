import { ToolError } from "../../core/errors.ts";
import type { Model } from "../../core/agent/model.ts";
import type { AgentSettings, ConfigGroups } from "../config/groups.ts";
import type { ModelOptions } from "../../models/providers/model-options.ts";
import type { ModelSetting } from "../config/settings/model-setting.ts";
import type { FindOptions, FoundModel } from "../../models/find-models.ts";
import { defined } from "../../util/json/defined.ts";
import { attempt } from "../../util/async/attempt.ts";
import { readStoredKeys } from "../config/stored-keys.ts";
import { openModel } from "../../models/open-model.ts";
import { keyIn, keysOf, readableKeys, type LearnKey } from "./keys/stored-key.ts";

/** Opens a model, by default that of the config, with its settings. Throws if none is set or its key is missing. */
export async function openConfiguredModel(
  config: ConfigGroups<"agent" | "paths" | "environment">,
  learn: LearnKey,
  id: string = config.agent.model,
): Promise<Model> {
  if (id === "")
    throw new ToolError("INVALID_INPUT", "no model is set", {
      hint: `toolwright init sets one up, and takes its key; or name one with --model provider/name, or as "model" in ${config.paths.files.user}`,
    });
  const { baseUrl, keyVariable, window, price, dialect, repair, defersTools } = settingOf(config.agent, id);
  const apiKey = await keyIn(keysOf(providerOf(id), keyVariable), config, learn);
  if (keyVariable !== undefined && apiKey === undefined)
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
      repair,
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
  learn: LearnKey,
  notify: (line: string) => void,
): Promise<Model> {
  if (config.agent.model !== "") return openConfiguredModel(config, learn);
  const { suggestedModels } = await import("../../models/find-models.ts");
  const [suggested] = suggestedModels(variablesWithNames(config), serversOf(config.agent));
  if (suggested === undefined) return openConfiguredModel(config, learn);
  notify(
    `no model is set, using ${suggested.id} (${whereOf(suggested, config)}); toolwright config set model ${suggested.id} sets it`,
  );
  return openConfiguredModel(config, learn, suggested.id);
}

/** Returns the settings of a model, over those of its provider. */
export function settingOf({ models }: AgentSettings, id: string): ModelSetting {
  return { ...models[providerOf(id)], ...models[id] };
}

function providerOf(id: string): string {
  return id.split("/", 1)[0] ?? id;
}

/** Where models are looked for. */
interface FindConfigured extends Pick<FindOptions, "timeoutMs" | "signal"> {
  /** Default: no tool runs that could print a key. */
  readonly learn?: LearnKey;
  /** Asks only servers that need no key, and not the keyring. */
  readonly isLocal?: boolean;
}

/** Returns the models that can be chosen: those that the config names, and those whose key is set or whose server runs. Never rejects. */
export async function findConfiguredModels(
  config: ConfigGroups<"agent" | "environment" | "paths">,
  { learn = () => undefined, isLocal = false, ...limits }: FindConfigured = {},
): Promise<readonly FoundModel[]> {
  const { findModels, suggestedModels } = await import("../../models/find-models.ts");
  const { model, models } = config.agent;
  const servers = serversOf(config.agent);
  const environment = await variablesWithKeys(config, learn, !isLocal);
  const suggested = isLocal ? suggestedModels(variablesWithNames(config), servers) : [];
  const allModels = [...suggested, ...(await findModels({ ...limits, environment, servers, isLocal }))];
  const named = new Set([model, ...Object.keys(models)].filter((id) => id.includes("/")));
  const { user } = config.paths.files;
  const configured = [...named].map((id) => ({ id, provider: providerOf(id), where: user }));
  const others = allModels.filter(({ id }) => !named.has(id));
  return [...configured, ...others.map((one) => ({ ...one, where: whereOf(one, config) }))];
}

/** Returns the address and the key of each provider and model that has settings. */
function serversOf(agent: AgentSettings): NonNullable<FindOptions["servers"]> {
  return Object.fromEntries(Object.keys(agent.models).map((id) => [id, settingOf(agent, id)]));
}

/** Returns the environment with the stored keys that it does not have. An invalid file of keys counts as empty: opening a model reports it. */
async function variablesWithKeys(
  config: ConfigGroups<"environment" | "paths">,
  learn: LearnKey,
  asksKeyring: boolean,
): Promise<FindOptions["environment"]> {
  const stored = await readableKeys(config, learn, asksKeyring).catch(() => ({}));
  return { ...stored, ...config.environment.variables };
}

/** Returns the environment with each stored key, which has the name of its variable in place of the key. */
function variablesWithNames({
  environment,
  paths,
}: ConfigGroups<"environment" | "paths">): FindOptions["environment"] {
  const names = attempt(() => [...readStoredKeys(paths).keys()]) ?? [];
  return { ...Object.fromEntries(names.map((name) => [name, name])), ...environment.variables };
}

/** Returns where a model was found; a stored key is not in the variable that it stands for. */
function whereOf({ where }: FoundModel, { environment }: ConfigGroups<"environment">): string {
  const isStored = /^[A-Z][A-Z_]+$/.test(where) && !environment.variables[where];
  return isStored ? "its stored key" : where;
}

/** Stands in until a model is chosen: requests throw, everything else works. */
export const NO_MODEL: Model = {
  id: "no model",
  format: "openai",
  window: 128_000,
  price: { input: 0, output: 0 },
  stream() {
    throw new ToolError("INVALID_INPUT", "no model is set", {
      hint: "choose one: /model lists what can be used; toolwright init takes a key or the address of a server",
    });
  },
};
