import type { Model } from "../../core/agent/model.ts";
import type { WebOptions } from "../../tools/web/options.ts";
import type { Config } from "../config/config.ts";

/** Returns the models that tools ask, as the config sets them. */
export function toolModels(config: Config): Pick<WebOptions, "openSmallModel" | "openVisionModel"> {
  return {
    openSmallModel: () => openIfSet(config, config.smallModel),
    openVisionModel: () => openIfSet(config, config.visionModel),
  };
}

function openIfSet(config: Config, id: string): Promise<Model> | undefined {
  return id === "" ? undefined : open(config, id);
}

/** Loads the providers on use: most calls ask no model. */
async function open(config: Config, id: string): Promise<Model> {
  const { openConfiguredModel } = await import("./open-configured-model.ts");
  return openConfiguredModel(config, id);
}
