import { ToolError } from "../../core/errors.ts";
import type { Job } from "../../core/job.ts";
import type { Circumstances, Mode, Policy } from "../../core/policy.ts";
import type { Verdict } from "../../core/verdict.ts";
import { allowedRisks, strictestModes, type AllowedRisks } from "../../policy/layers/modes.ts";
import type { DefaultPolicyOptions } from "./policy.ts";

const NO_CIRCUMSTANCES: Circumstances = Object.freeze({});

/**
 * Creates the policy of a library user, which loads its rules and tables with the first call that needs them: a call without facts that no rule can concern is
 * judged by mode and risk alone. Throws for an unknown mode. A command of a program that has no reader of commands needs approval in every mode.
 */
export function createLazyPolicy(options: DefaultPolicyOptions): Policy {
  const { mode: ownMode = "auto", rules = [] } = options;
  strictestModes([ownMode]);
  const byMode = new Map<Mode, AllowedRisks>();
  let loaded: Required<Policy> | undefined;
  /** Judges commands, once one could not be read. */
  let judgeUnread: Policy["judge"] | undefined;
  const whole = once(() => createWhole(options));

  const load = async (): Promise<Required<Policy>> => (loaded = await whole());
  const isSimple = ({ rules: ofSession, ceilings, untrusted }: Circumstances): boolean =>
    rules.length === 0 && ofSession === undefined && ceilings === undefined && untrusted === undefined;
  const judgeByMode = (job: Job, circumstances: Circumstances): Verdict | undefined => {
    if (!isPlain(job) || !isSimple(circumstances)) return undefined;
    const mode = circumstances.mode ?? ownMode;
    const allowed = byMode.get(mode) ?? allowedRisks(strictestModes([mode]));
    byMode.set(mode, allowed);
    return allowed[job.risk];
  };
  /** Of what the tables decide: without rules nothing hides a path or a host. */
  const unlessSimple = (
    circumstances: Circumstances,
    decide: (policy: Required<Policy>) => boolean,
  ): boolean => (loaded === undefined ? !isSimple(circumstances) : decide(loaded));

  return {
    prepare(job, circumstances) {
      if (loaded !== undefined || judgeByMode(job, circumstances() ?? NO_CIRCUMSTANCES) !== undefined)
        return undefined;
      return load().then(() => undefined);
    },
    judge(job, circumstances = NO_CIRCUMSTANCES) {
      if (loaded === undefined) return judgeByMode(job, circumstances) ?? NOT_LOADED;
      const hasCommand = job.facts.some(({ kind }) => kind === "command");
      return hasCommand && judgeUnread !== undefined
        ? judgeUnread(job, circumstances)
        : loaded.judge(job, circumstances);
    },
    originOf: (job) => loaded?.originOf(job),
    async read(fact) {
      const policy = await load();
      try {
        return await policy.read(fact);
      } catch (error) {
        if (!(error instanceof ToolError) || error.code !== "UNAVAILABLE") throw error;
        const { createUnreadJudge } = await import("./policy.ts");
        judgeUnread ??= createUnreadJudge(options, error);
        return { certainty: "unreadable", commands: [], paths: [], isReadOnly: false };
      }
    },
    hidesAny: (tool, given = NO_CIRCUMSTANCES) =>
      unlessSimple(given, (policy) => policy.hidesAny(tool, given)),
    hides: (path, tool, given = NO_CIRCUMSTANCES, access = "read") =>
      unlessSimple(given, (policy) => policy.hides(path, tool, given, access)),
    hidesHost: (host, tool, given = NO_CIRCUMSTANCES) =>
      unlessSimple(given, (policy) => policy.hidesHost(host, tool, given)),
    // Without the tables every file may be one with secrets.
    protects: (path, tool, given = NO_CIRCUMSTANCES) => loaded?.protects(path, tool, given) ?? true,
  };
}

/** Returns whether nothing of a call but its tool's risk can decide. What a tool needs of its context may be what policy hides. */
function isPlain({ facts, tool }: Job): boolean {
  return (
    tool.facts === undefined &&
    facts.length === 0 &&
    tool.isUntrusted !== true &&
    (tool.needs ?? []).length === 0
  );
}

/** Returns a function whose calls share one result. */
function once<Result>(create: () => Result): () => Result {
  let result: { readonly value: Result } | undefined;
  return () => (result ??= { value: create() }).value;
}

async function createWhole(options: DefaultPolicyOptions): Promise<Required<Policy>> {
  const { createDefaultPolicy } = await import("./policy.ts");
  return createDefaultPolicy(options) as Required<Policy>;
}

/** Only if the mode or the rules changed after the call was prepared. */
const NOT_LOADED: Verdict = {
  kind: "deny",
  reason: "the rules for this call were not loaded when they changed",
  rule: "not-loaded",
  hint: "run the call again",
};
