import type { Model } from "../../core/agent/model.ts";
import type { WebOptions } from "../../tools/web/options.ts";
import type { ConfigGroups } from "../config/groups.ts";
import type { LearnKey } from "./keys/stored-key.ts";

/** Returns the models that tools ask, as the config sets them. */
export function toolModels(
  config: ConfigGroups<"agent" | "paths" | "environment">,
  learn: LearnKey,
): Pick<WebOptions, "openSmallModel" | "openVisionModel"> {
  return {
    openSmallModel: () =>
      config.agent.smallModel === "" ? undefined : openOnUse(config, learn, config.agent.smallModel),
    openVisionModel: () =>
      config.agent.visionModel === "" ? undefined : openOnUse(config, learn, config.agent.visionModel),
  };
}

/** Opens a model as `openConfiguredModel` does; loads the providers on use: most calls ask no model. */
export async function openOnUse(
  config: ConfigGroups<"agent" | "paths" | "environment">,
  learn: LearnKey,
  id: string,
): Promise<Model> {
  const { openConfiguredModel } = await import("./open-configured-model.ts");
  return openConfiguredModel(config, learn, id);
}
