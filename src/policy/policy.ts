import type { Fact } from "../core/fact.ts";
import type { Job } from "../core/job.ts";
import type { Circumstances, Mode, Policy, Verdict } from "../core/policy.ts";
import type { Risk } from "../core/spec.ts";
import type { Tool } from "../core/tool.ts";
import type { Bounds } from "./layers/bounds.ts";
import { createGrants } from "./layers/bounds.ts";
import type { Commands } from "../shell/command-knowledge.ts";
import type { CompiledRule, RuleSetting } from "./match/compile-rule.ts";
import { fold } from "../util/text/fold.ts";
import type { Frame } from "./layers/frame.ts";
import { createFrames } from "./layers/frame.ts";
import { PathView } from "./match/match-path.ts";
import { decideByModes, strictestModes } from "./layers/modes.ts";
import { judgeInOrder } from "./order.ts";
import type { RuleLayer } from "./layers/rule-layer.ts";
import type { ToolRules } from "./layers/rule-set.ts";
import { createRuleSet } from "./layers/rule-set.ts";
import type { Subject } from "./match/subject.ts";
import { isReadOnly, provenArgv, toSubject } from "./match/subject.ts";

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
const NO_FOLDERS: readonly string[] = Object.freeze([]);

/** The built-in policy: rules, the border of the workspace, protected targets, then mode × risk. Pure. */
export function createPolicy(options: PolicyOptions): Policy {
  const { workspace, home, layers = [], commands, readOnlyShellIsLow = true } = options;
  const setting: RuleSetting = { workspace, home, knowledge: commands?.knowledge };
  const own = createRuleSet(layers, setting);
  const frames = createFrames(modesOf(options.mode, layers), setting);
  const grantsFor = createGrants(setting);
  const protectedFolders = options.protectedFolders?.map(fold) ?? NO_FOLDERS;

  const boundsOf = (subject: Subject, frame: Frame, circumstances: Circumstances): Bounds => {
    const { modes, ceilings, lowIsFree } = frame;
    const { tool } = subject.job;
    const sets = [own, ...ceilings.map(({ rules }) => rules)];
    const ofServers = standInsFor(subject.job).flatMap((one) => sets.map((rules) => rules.forTool(one)));
    return {
      rules: [own.forTool(tool), ...ceilings.map(({ rules }) => rules.forTool(tool)), ...ofServers],
      modes,
      risk: riskOf(subject, workspace, readOnlyShellIsLow),
      workspace,
      protectedFolders,
      knowledge: commands?.knowledge,
      mayRun: ceilings.every((ceiling) => ceiling.mayRun(tool)),
      readingIsFree: readOnlyShellIsLow && lowIsFree,
      grants: grantsFor(tool.name, circumstances),
    };
  };

  /** Most calls touch nothing that a rule could name, and most rules name something: then the modes alone decide. */
  const judgeUntouching = (job: Job, { modes, ceilings }: Frame): Verdict | undefined => {
    const { tool } = job;
    const touchesNothing = job.facts.every((fact) => isOwnServer(fact, tool));
    if (!touchesNothing || own.forTool(tool).mayTightenAny) return undefined;
    for (const { rules, mayRun } of ceilings)
      if (rules.forTool(tool).mayTightenAny || !mayRun(tool)) return undefined;
    const byMode = decideByModes(modes, tool.name, job.risk);
    return byMode.kind === "allow" ? byMode : undefined;
  };

  return {
    judge(job, circumstances = NO_CIRCUMSTANCES) {
      const frame = frames.under(circumstances.ceilings);
      const free = judgeUntouching(job, frame);
      if (free !== undefined) return free;
      const subject = toSubject(job, commands?.knowledge);
      const bounds = boundsOf(subject, frame, circumstances);
      return complete(judgeInOrder(subject, bounds), subject, bounds.risk);
    },
    hides: (path, tool, circumstances = NO_CIRCUMSTANCES) =>
      [own, ...(circumstances.ceilings ?? []).map((ceiling) => frames.compile(ceiling).rules)].some((rules) =>
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

/** A rule names a server by its tools, and a tool of it like any other. */
function isOwnServer(fact: Fact, { source }: Tool): boolean {
  if (fact.kind !== "mcp" || !source.startsWith(SERVER)) return false;
  return source.length === SERVER.length + fact.server.length && source.endsWith(fact.server);
}

const SERVER = "mcp:";

/** A tool of ours that reaches a server is to the rules about that server what a tool of it would be: they deny and ask, and allow nothing. */
function standInsFor({ tool, facts }: Job): readonly Tool[] {
  return facts.flatMap((fact) => {
    if (fact.kind !== "mcp" || isOwnServer(fact, tool)) return [];
    const name = `${fact.server}__${fact.tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_");
    return [{ ...tool, name, aliases: [], source: `${SERVER}${fact.server}` }];
  });
}

function riskOf(subject: Subject, workspace: readonly string[], readOnlyIsLow: boolean): Risk {
  return readOnlyIsLow && isReadOnly(subject, workspace) ? "low" : subject.job.risk;
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
