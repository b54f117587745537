import type { Collections } from "../../../core/store/collection.ts";
import { loadConfig, type ConfigFlags } from "../../config/config.ts";
import type { Config } from "../../config/groups.ts";
import { openPresentStore } from "./open-configured-store.ts";
import { collectTrustItems } from "../../config/trust/trust-items.ts";
import {
  TRUST_NOTHING,
  loadTrust,
  type IsTrusted,
  type Trust,
  type TrustItem,
} from "../../config/files/trust.ts";
import { visibleLine } from "../../../util/text/visible.ts";

/** The settings before trust is applied, and the flags to read them again. Who opens a host passes both on unread. */
export interface UntrustedConfig {
  readonly flags: ConfigFlags;
  readonly config: Config;
  /** The command that trusts items; default: `toolwright trust`. */
  readonly trustCommand?: string;
}

/** The settings with what is trusted of the project. */
export interface Trusted {
  readonly config: Config;
  readonly isTrusted: IsTrusted;
  /** Undefined if nothing in the folder needs trust. */
  readonly trust: Trust | undefined;
  /** Items that are not trusted, and so have no effect. */
  readonly off: readonly TrustItem[];
  /** What is ignored of the project's, and how to change that: one line each. */
  readonly warnings: readonly string[];
}

/**
 * Reads the settings again with what the user trusts of the folder. Without `collections` nothing is trusted. `more` are items that only
 * some programs use.
 */
export async function applyTrust(
  { flags, config, trustCommand }: UntrustedConfig,
  collections: Collections | undefined,
  more: readonly TrustItem[] = [],
): Promise<Trusted> {
  const { items: trustItems, problems } = collectTrustItems(config);
  const items = [...trustItems, ...more];
  if (items.length === 0)
    return { config, isTrusted: TRUST_NOTHING, trust: undefined, off: [], warnings: problems };
  const {
    paths: { workspace, userHome },
    environment: { variables },
  } = config;
  const [cwd, ...roots] = workspace;
  const trust = collections === undefined ? undefined : await loadTrust(collections, cwd);
  const isTrusted = trust?.isTrusted ?? TRUST_NOTHING;
  const off = items.filter(({ kind, name, hash }) => !isTrusted(kind, name, hash));
  const warnings = off.length === 0 ? problems : [...problems, describeOff(off, trustCommand)];
  const trustedConfig = loadConfig(flags, { cwd, roots, variables, userHome }, isTrusted);
  return { config: trustedConfig, isTrusted, trust, off, warnings };
}

/** Does the same for a command that only looks: opens a store only if it exists and is needed, and closes it again. */
export async function loadTrustedConfig(untrusted: UntrustedConfig): Promise<Trusted> {
  if (collectTrustItems(untrusted.config).items.length === 0) return applyTrust(untrusted, undefined);
  await using store = await openPresentStore(untrusted.config);
  return await applyTrust(untrusted, store?.collections);
}

/** How many items a warning names. */
const MAX_NAMED = 3;

/** Returns the warning about items that are off. */
export function describeOff(off: readonly TrustItem[], command = "toolwright trust"): string {
  const names = off.slice(0, MAX_NAMED).map(({ kind, name }) => {
    return visibleLine(kind === "instructions" ? name : `${kind}:${name}`);
  });
  const more = off.length > MAX_NAMED ? ` and ${off.length - MAX_NAMED} more` : "";
  return off.length === 1
    ? `${names.join("")} is not used until you trust it: ${command}`
    : `${names.join(", ")}${more} are not used until you trust them: ${command}`;
}
