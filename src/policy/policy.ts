import type { Job } from "../core/job.ts";
import type { Circumstances, Mode, Policy, Verdict } from "../core/policy.ts";
import type { Risk } from "../core/spec.ts";
import type { Bounds } from "./bounds.ts";
import { createGrants } from "./bounds.ts";
import type { CompiledCeiling } from "./ceiling.ts";
import { createCeilings } from "./ceiling.ts";
import type { Commands } from "./command-knowledge.ts";
import type { CompiledRule, RuleSetting } from "./compile-rule.ts";
import { fold } from "./fold.ts";
import { PathView } from "./match-path.ts";
import { decideByModes, strictestModes } from "./modes.ts";
import { judgeInOrder } from "./order.ts";
import type { RuleLayer } from "./rule-layer.ts";
import type { ToolRules } from "./rule-set.ts";
import { createRuleSet } from "./rule-set.ts";
import type { Subject } from "./subject.ts";
import { isReadOnly, provenArgv, toSubject } from "./subject.ts";

export interface PolicyOptions {
  readonly mode: Mode;
  /** Canonical folders that calls may touch. */
  readonly workspace: readonly string[];
  /** What `~/` stands for in the paths of rules. */
  readonly home?: string;
  /** The lowest first. */
  readonly layers?: readonly RuleLayer[];
  /** Without it commands are not read: no allow ever covers one. */
  readonly commands?: Commands;
  /** A command that is proven to read only is of low risk; true. */
  readonly readOnlyShellIsLow?: boolean;
  /** Canonical folders of Toolwright's own, wherever they were moved: writing there is asked about in every mode. */
  readonly protectedFolders?: readonly string[];
}

const NO_CIRCUMSTANCES: Circumstances = Object.freeze({});
const NO_CEILINGS: readonly CompiledCeiling[] = Object.freeze([]);
const NO_FOLDERS: readonly string[] = Object.freeze([]);

/** The built-in policy: rules, the border of the workspace, protected targets, then mode × risk. Pure. */
export function createPolicy(options: PolicyOptions): Policy {
  const { workspace, home, layers = [], commands, readOnlyShellIsLow = true } = options;
  const setting: RuleSetting = { workspace, home, knowledge: commands?.knowledge };
  const own = createRuleSet(layers, setting);
  const modes = modesOf(options.mode, layers);
  const ceilingOf = createCeilings(setting);
  const grantsFor = createGrants(setting);

  const protectedFolders = options.protectedFolders?.map(fold) ?? NO_FOLDERS;
  const isFree = (all: readonly Mode[]): boolean =>
    readOnlyShellIsLow && decideByModes(all, "", "low").kind === "allow";
  const readingIsFree = isFree(modes);

  const plainBounds = (subject: Subject, circumstances: Circumstances): Bounds => ({
    rules: [own.forTool(subject.job.tool)],
    modes,
    risk: riskOf(subject, readOnlyShellIsLow),
    workspace,
    protectedFolders,
    knowledge: commands?.knowledge,
    mayRun: true,
    readingIsFree,
    grants: grantsFor(subject.job.tool.name, circumstances),
  });
  const boundsOf = (subject: Subject, circumstances: Circumstances): Bounds => {
    const bounds = plainBounds(subject, circumstances);
    const ceilings = circumstances.ceilings?.map(ceilingOf) ?? NO_CEILINGS;
    if (ceilings.length === 0) return bounds;
    const { tool } = subject.job;
    const all = strictestModes([...modes, ...ceilings.flatMap(({ mode }) => mode ?? [])]);
    return {
      ...bounds,
      rules: [...bounds.rules, ...ceilings.map(({ rules }) => rules.forTool(tool))],
      modes: all,
      mayRun: ceilings.every((ceiling) => ceiling.mayRun(tool)),
      readingIsFree: isFree(all),
    };
  };

  /** Most calls touch nothing, and most rules are about something: then the mode alone decides. */
  const judgeUntouching = (job: Job): Verdict | undefined => {
    if (job.facts.length > 0 || own.forTool(job.tool).mayTightenAny) return undefined;
    const byMode = decideByModes(modes, job.tool.name, job.risk);
    return byMode.kind === "allow" ? byMode : undefined;
  };

  return {
    judge(job, circumstances = NO_CIRCUMSTANCES) {
      const free = circumstances === NO_CIRCUMSTANCES ? judgeUntouching(job) : undefined;
      if (free !== undefined) return free;
      const subject = toSubject(job, commands?.knowledge);
      const bounds = boundsOf(subject, circumstances);
      return complete(judgeInOrder(subject, bounds), subject, bounds.risk);
    },
    hides: (path, tool, circumstances = NO_CIRCUMSTANCES) =>
      [own, ...(circumstances.ceilings ?? []).map((ceiling) => ceilingOf(ceiling).rules)].some((rules) =>
        isHidden(path, rules.forTool(tool)),
      ),
    ...(commands === undefined ? {} : { read: commands.read }),
  };
}

/** A layer that may allow says the mode anew; any other adds its own to what holds already. */
function modesOf(mode: Mode, layers: readonly RuleLayer[]): readonly Mode[] {
  let modes: readonly Mode[] = [mode];
  for (const layer of layers) {
    if (layer.mode === undefined) continue;
    modes = layer.mayAllow ? [layer.mode] : [...modes, layer.mode];
  }
  return strictestModes(modes);
}

function riskOf(subject: Subject, readOnlyIsLow: boolean): Risk {
  return readOnlyIsLow && isReadOnly(subject) ? "low" : subject.job.risk;
}

/** Adds what was found out on the way: the risk where it was judged lower, and the program that needs no shell. */
function complete(verdict: Verdict, subject: Subject, risk: Risk): Verdict {
  if (subject.commands.length === 0) return verdict;
  const argv = verdict.kind === "deny" ? undefined : provenArgv(subject);
  if (risk === subject.job.risk && argv === undefined) return verdict;
  return {
    ...verdict,
    ...(risk === subject.job.risk ? {} : { risk }),
    ...(argv === undefined ? {} : { proven: argv }),
  };
}

/** What some call of the tool may not read unasked is hidden from all of them. */
function isHidden(path: string, { deny, ask }: ToolRules): boolean {
  const view = new PathView({ kind: "path", path, access: "read" });
  const hides = ({ paths, rule, hosts }: CompiledRule): boolean =>
    paths?.matches(view) === true && rule.access !== "write" && hosts === undefined;
  return deny.withoutCommand.some(hides) || ask.withoutCommand.some(hides);
}
