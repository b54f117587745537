import type { StrictDeny } from "../../../policy/layers/limits.ts";
import type { RuleLayer } from "../../../policy/layers/rule-layer.ts";
import { BUILT_IN } from "../../../policy/match/compile-rule.ts";
import type { PolicySettings, SandboxSettings } from "../../config/groups.ts";

/** What the deny rules of the user and the project demand of a sandbox under `strictDeny`. */
export interface StrictRules {
  readonly denyHosts: boolean;
}

/** Returns undefined without the setting, and without a deny rule about paths, commands or hosts. */
export function strictRulesOf(
  { strictDeny }: PolicySettings,
  layers: readonly RuleLayer[],
): StrictRules | undefined {
  if (!strictDeny) return undefined;
  const own = layers
    .filter(({ name }) => name !== BUILT_IN)
    .flatMap(({ rules }) => rules)
    .filter(({ decision }) => decision === "deny");
  if (!own.some(({ path, command, domain }) => (path ?? command ?? domain) !== undefined)) return undefined;
  return { denyHosts: own.some(({ domain }) => domain !== undefined) };
}

/**
 * Returns the settings of the sandbox under these rules: a denied host means that it has no network. Without a sandbox of the
 * config, the one for strictDeny otherwise changes nothing of what programs can do.
 */
export function strictSandbox(
  { kind, options }: SandboxSettings,
  { denyHosts }: StrictRules,
): SandboxSettings {
  if (kind !== "none")
    return { kind, options: denyHosts ? { ...options, network: false, domains: [] } : options };
  const own = {
    network: !denyHosts,
    domains: [],
    workspace: "write",
    tools: "programs",
    mounts: true,
  } as const;
  return { kind, options: { ...options, ...own } };
}

/** For rules that came after the start: the sandbox is chosen then. */
export const STRICT_LATER: StrictDeny = {
  reason:
    "none was started, because there was no deny rule about paths, commands or hosts; start toolwright again",
};
