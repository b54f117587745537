import type { Model } from "../../core/agent/model.ts";
import type { WebOptions } from "../../tools/web/options.ts";
import type { Config } from "../config/config.ts";

/** Returns the models that tools ask, as the config sets them. */
export function toolModels(config: Config): Pick<WebOptions, "openSmallModel" | "openVisionModel"> {
  return {
    openSmallModel: () => (config.smallModel === "" ? undefined : openOnUse(config, config.smallModel)),
    openVisionModel: () => (config.visionModel === "" ? undefined : openOnUse(config, config.visionModel)),
  };
}

/** Opens a model as `openConfiguredModel` does; loads the providers on use: most calls ask no model. */
export async function openOnUse(config: Config, id: string): Promise<Model> {
  const { openConfiguredModel } = await import("./open-configured-model.ts");
  return openConfiguredModel(config, id);
}
