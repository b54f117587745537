import type { Approver } from "../../core/approval.ts";
import type { Mode, Policy } from "../../core/policy.ts";
import { applyTrust } from "./store/apply-trust.ts";
import type { AssembleOptions, Assembly } from "./assemble.ts";
import { assemble } from "./assemble.ts";
import type { Config, ConfigFlags } from "../config/config.ts";
import { loadConfig } from "../config/config.ts";
import { createConfiguredPolicy, readConfiguredRules } from "./policy.ts";
import type { Store } from "./store/open-configured-store.ts";
import { openConfiguredStore } from "./store/open-configured-store.ts";

/** What decides who approves. */
export interface Opened {
  readonly config: Config;
  readonly store: Store;
}

export interface OpenAssemblyOptions extends Omit<
  AssembleOptions,
  "approver" | "policy" | "store" | "isTrusted" | "log" | "extensionLog"
> {
  readonly flags: ConfigFlags;
  /** As it was read before anything was trusted; left out: it is read here. */
  readonly untrusted?: Config;
  readonly approver: (opened: Opened) => Approver | Promise<Approver>;
  readonly log?: (config: Config) => AssembleOptions["log"];
  readonly extensionLog?: (config: Config) => AssembleOptions["extensionLog"];
  readonly warn: (warning: string) => void;
}

/** An engine as the config wants it, with the store it keeps things in. */
export interface OpenAssembly extends Opened {
  readonly assembly: Assembly;
  readonly approver: Approver;
  /** How much runs unasked from now on; rules and what is trusted stay as they are. */
  setMode(mode: Mode): Promise<void>;
}

/**
 * Reads the settings, opens the store, applies what is trusted and puts the engine together. Throws a `ToolError` where
 * one of them cannot be had. What it opens, `assembly.close` closes.
 */
export async function openAssembly(options: OpenAssemblyOptions): Promise<OpenAssembly> {
  const {
    flags,
    untrusted = loadConfig(flags),
    approver: choose,
    log,
    extensionLog,
    warn,
    ...rest
  } = options;
  const store = await openConfiguredStore(untrusted);
  try {
    const { config, isTrusted, trust, warnings } = await applyTrust(flags, untrusted, store.collections);
    const rules = await readConfiguredRules(config, trust);
    const policy = createConfiguredPolicy(config, rules);
    for (const warning of [...config.warnings, ...warnings, ...rules.problems, ...rules.notes]) warn(warning);
    const [heard, told] = [log?.(config), extensionLog?.(config)];
    const judge = switchable(policy);
    const approver = await choose({ config, store });
    const assembly = assemble(config, {
      ...rest,
      store,
      isTrusted,
      policy: judge.policy,
      approver,
      ...(heard !== undefined && { log: heard }),
      ...(told !== undefined && { extensionLog: told }),
    });
    for (const warning of assembly.warnings) warn(warning);
    return {
      config,
      store,
      assembly,
      approver,
      setMode: async (mode) =>
        judge.use(
          createConfiguredPolicy({ ...config, mode }, await readConfiguredRules({ ...config, mode }, trust)),
        ),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A policy that another one can take the place of, in all but how commands are read. */
function switchable(first: Policy): { readonly policy: Policy; use(policy: Policy): void } {
  let current = first;
  return {
    policy: {
      ...first,
      judge: (...given) => current.judge(...given),
      hides: (...given) => current.hides?.(...given) === true,
    },
    use(policy) {
      current = policy;
    },
  };
}
