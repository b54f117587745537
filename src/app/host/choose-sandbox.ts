import { defined } from "../../util/json/defined.ts";
import type { ConfigGroups } from "../config/groups.ts";
import type { ConfiguredRules } from "./configured-policy.ts";
import type { ChosenSandbox } from "./sandbox/sandbox.ts";
import { processFolderOf } from "./sources/built-in-tools.ts";
import type { Store } from "./store/open-configured-store.ts";
import { STRICT_LATER, strictRulesOf } from "./sandbox/strict-deny.ts";

/** Receives one line for each thing that is ignored or refused. */
type Warn = (warning: string) => void;

/** Chooses the sandbox of a config and warns if it is another than the one that was named. */
export async function openSandbox(
  config: ConfigGroups<"policy" | "sandbox" | "paths" | "environment" | "web">,
  rules: ConfiguredRules,
  store: Store,
  warn: Warn,
): Promise<ChosenSandbox> {
  const chosen = await chooseSandbox(config, rules, store, warn);
  if (chosen.warning !== undefined) warn(chosen.warning);
  return chosen;
}

/** Chooses the sandbox of the config and of `strictDeny`. Its module is loaded only for a config that has one. */
export async function chooseSandbox(
  config: ConfigGroups<"policy" | "sandbox" | "paths" | "environment" | "web">,
  { layers }: ConfiguredRules,
  store?: Store,
  warn?: Warn,
): Promise<ChosenSandbox> {
  const strict = strictRulesOf(config.policy, layers);
  const later = config.policy.strictDeny ? { strictDeny: STRICT_LATER } : {};
  if (config.sandbox.kind === "none" && strict === undefined) return later;
  const state = { warn, collections: store?.collections, stateFolder: processFolderOf(config.paths, store) };
  return {
    ...later,
    ...(await (await import("./sandbox/sandbox.ts")).chooseSandbox(config, defined(state), strict)),
  };
}
