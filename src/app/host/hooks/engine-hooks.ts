import { createConfiguredHooks } from "./configured-hooks.ts";
import { openPromptQueue } from "../../../agent/hooks/prompt-queue.ts";
import type { Hook } from "../../../core/hook.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { childEnvironment } from "../../../system/process/environment.ts";
import type { Config } from "../../config/config.ts";
import { hookItem } from "../../config/hooks/hook-item.ts";
import type { Store } from "../store/open-configured-store.ts";
import type { IsTrusted } from "../../config/files/trust.ts";

/** Returns the user's hooks, then the trusted ones of the project, whose trust is checked again each time before they run. */
export function engineHooks(config: Config, store: Store | undefined, isTrusted: IsTrusted): readonly Hook[] {
  const { hooks, projectHooks, workspace, userHome, variables } = config;
  const isItemTrusted = (definition: (typeof projectHooks)[number]): boolean => {
    const { kind, name, hash } = hookItem(definition, workspace[0]);
    return isTrusted(kind, name, hash);
  };
  const trusted = projectHooks.filter(isItemTrusted);
  if (hooks.length === 0 && trusted.length === 0) return [];
  const options = {
    environment: childEnvironment(variables, config.environment),
    workspace,
    home: userHome,
    prompts: openPromptQueue(store?.collections ?? createMemoryCollections()),
  };
  return [
    ...createConfiguredHooks(hooks, options),
    ...createConfiguredHooks(trusted, { ...options, isTrusted: isItemTrusted }),
  ];
}
