import type { Policy } from "../../../core/policy.ts";
import type { Json } from "../../../core/json.ts";
import { createPolicy } from "../../../policy/policy.ts";
import type { Config } from "../../config/config.ts";
import { openPolicy } from "./open-policy.ts";
import type { IsTrusted } from "../../config/files/policy-files.ts";
import type { Trust } from "../../config/files/trust.ts";

export interface ConfiguredPolicy {
  readonly policy: Policy;
  /** Files that were refused, and rules that can never decide anything: one line each. */
  readonly warnings: readonly string[];
}

/** The policy of a config: its mode, its workspace, the rules of all layers, and how commands are read. */
export async function configuredPolicy(config: Config, trust: Trust | undefined): Promise<ConfiguredPolicy> {
  const { layers, problems, notes, commands } = await openPolicy(config, { trusted: trustOf(trust) });
  const { mode, workspace, userHome, home, store, shell } = config;
  const policy = createPolicy({
    mode,
    workspace,
    home: userHome,
    layers,
    commands,
    readOnlyShellIsLow: shell.readOnlyIsLow,
    protectedFolders: store === ":memory:" ? [home] : [home, store],
  });
  return { policy, warnings: [...problems, ...notes] };
}

/** A rule is trusted by its content; the mode of a file is an item of its own. */
export function trustOf(trust: Trust | undefined): IsTrusted {
  return (kind, name, content) => {
    const item: Json = name === "mode" ? { mode: content } : (JSON.parse(content) as Json);
    return trust?.isTrustedContent(kind, name, item) === true;
  };
}
