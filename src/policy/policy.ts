import type { Fact } from "../core/fact.ts";
import { WORKSPACE_GRANT } from "../core/grant.ts";
import type { Job } from "../core/job.ts";
import type { AfterUntrustedText, Border, Circumstances, Mode, Policy } from "../core/policy.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Subject as User } from "../core/subject.ts";
import type { Risk } from "../core/spec.ts";
import type { Tool } from "../core/tool.ts";
import type { Commands } from "../shell/syntax/command-knowledge.ts";
import { fold } from "../util/text/fold.ts";
import { createHiding } from "./layers/hiding.ts";
import { createScopes, type Scope, type ScopeOf } from "./layers/ceilings.ts";
import { createGrants, type Limits, type PolicySandbox, type StrictDeny } from "./layers/limits.ts";
import { strictestModes } from "./layers/modes.ts";
import type { RuleLayer } from "./layers/rule-layer.ts";
import { createRuleSet, type RuleSet, type ToolRules } from "./layers/rule-set.ts";
import type { RuleContext } from "./match/compile-rule.ts";
import { isReadOnly, provenArgv, toSubject, type Subject } from "./match/subject.ts";
import { demandApprovers } from "./demand-approvers.ts";
import { judgeInOrder } from "./order.ts";
import { namesPrivate } from "./protect/workspace-boundary.ts";
import { originOfText } from "./protect/origin-of-text.ts";
import { createProtectedReads } from "./protect/protected-reads.ts";

export interface PolicyOptions {
  readonly mode: Mode;
  /** Canonical folders that calls may touch. */
  readonly workspace: readonly string[];
  /** The folder that `~/` stands for in rules. */
  readonly home?: string;
  /** What happens to calls that touch paths outside the workspace. Default: deny. */
  readonly border?: Border | undefined;
  /** Lowest first. */
  readonly layers?: readonly RuleLayer[];
  /** Without it commands are not read, and no rule allows one. */
  readonly commands?: Commands;
  /** Commands that are proven read-only are low risk; default: true. */
  readonly readOnlyShellIsLow?: boolean;
  /** Canonical folders of Toolwright itself: reading and writing there needs approval in every mode. */
  readonly protectedFolders?: readonly string[];
  /** Default: ask. */
  readonly afterUntrustedText?: AfterUntrustedText;
  /** The sandbox in which programs run; default: none. */
  readonly sandbox?: PolicySandbox | undefined;
  /** With deny rules of its own, interpreters and unknown programs run only in this sandbox; default: they run as others do. */
  readonly strictDeny?: StrictDeny | undefined;
}

const NO_CIRCUMSTANCES: Circumstances = Object.freeze({});
const NO_FOLDERS: readonly string[] = Object.freeze([]);

/** Creates the built-in policy: rules, the workspace boundary, protected targets, then mode and risk. It is pure. */
export function createPolicy(options: PolicyOptions): Policy {
  const {
    workspace,
    home,
    layers = [],
    commands,
    readOnlyShellIsLow = true,
    afterUntrustedText = "ask",
  } = options;
  const context: RuleContext = { workspace, home, knowledge: commands?.knowledge };
  const own = createRuleSet(layers, context);
  const scopeOf = createScopesOfModes(options, context);
  const grantsFor = createGrants(context);
  const protectedFolders = options.protectedFolders?.map(fold) ?? NO_FOLDERS;
  const protectedReads = createProtectedReads(home, protectedFolders);
  const everyCall = nearOfEveryCall(options, protectedReads);
  const limitsOf = (subject: Subject, scope: Scope, circumstances: Circumstances): Limits => {
    const { modes, ceilings, allowed } = scope;
    const { tool, risk } = subject.job;
    const near = nearOf(everyCall, circumstances);
    const readsOnly = isReadOnly(subject, near);
    return {
      workspace: near.workspace,
      border: near.border,
      sandbox: near.sandbox,
      protectedReads: near.protectedReads,
      readsOnly,
      rules: rulesFor(subject, ruleSetsOf(own, scope), circumstances.subject),
      modes,
      allowed,
      risk: readOnlyShellIsLow && readsOnly && !needsOtherBox(subject, near) ? "low" : risk,
      protectedFolders,
      knowledge: commands?.knowledge,
      mayRun: ceilings.every((ceiling) => ceiling.mayRun(tool)),
      readingIsFree: readOnlyShellIsLow && allowed.low !== undefined,
      grants: grantsFor(subject, circumstances),
      untrusted: isAskedIn(modes, afterUntrustedText) ? circumstances.untrusted : undefined,
      strictDeny: strictFor(options, circumstances),
    };
  };

  const setsOf = (circumstances: Circumstances) => ruleSetsOf(own, scopeOf(circumstances));

  return {
    judge(job, circumstances = NO_CIRCUMSTANCES) {
      const scope = scopeOf(circumstances);
      const allowed =
        circumstances.untrusted === undefined
          ? judgeByModes(job, scope, own, circumstances.subject)
          : undefined;
      if (allowed !== undefined) return allowed;
      const subject = toSubject(job, commands?.knowledge);
      return judgeSubject(subject, limitsOf(subject, scope, circumstances));
    },
    originOf: (job) => originOfText(toSubject(job, commands?.knowledge)),
    ...createHiding(setsOf, protectedReads),
    ...(commands === undefined ? {} : { read: commands.read }),
  };
}

/** Returns the scopes of the mode of a call, else of the policy. They throw for an unknown mode. */
function createScopesOfModes({ mode: own, layers = [] }: PolicyOptions, context: RuleContext): ScopeOf {
  const scopesOf = (mode: Mode): ScopeOf => createScopes(modesOf(mode, layers), context);
  const ofOwnMode = scopesOf(own);
  const ofModes = new Map<Mode, ScopeOf>();
  return (circumstances) => {
    const { mode } = circumstances;
    if (mode === undefined || mode === own) return ofOwnMode(circumstances);
    const scopes = ofModes.get(mode) ?? scopesOf(mode);
    ofModes.set(mode, scopes);
    return scopes(circumstances);
  };
}

/** Shortcut for calls without facts: if no rule can match them, the modes alone decide. */
function judgeByModes(
  job: Job,
  { allowed, ceilings }: Scope,
  own: RuleSet,
  user: User | undefined,
): Verdict | undefined {
  const { facts, tool } = job;
  if (facts.length > 0 && !facts.every((fact) => isOwnServer(fact, tool))) return undefined;
  if (own.forTool(tool, user).restrictsAnyCall) return undefined;
  for (const { rules, mayRun } of ceilings)
    if (rules.forTool(tool, user).restrictsAnyCall || !mayRun(tool)) return undefined;
  return allowed[job.risk];
}

/** Returns true if text from outside leads to a question in these modes. */
function isAskedIn(modes: readonly Mode[], setting: AfterUntrustedText): boolean {
  return setting === "always" || (setting === "ask" && !modes.every((one) => one === "yolo"));
}

/** The sandbox of this machine holds no call that runs on another. */
function strictFor({ strictDeny }: PolicyOptions, { isElsewhere }: Circumstances): StrictDeny | undefined {
  if (strictDeny === undefined || isElsewhere !== true) return strictDeny;
  return { reason: "the call would run on another machine" };
}

function ruleSetsOf(own: RuleSet, { ceilings }: Scope): readonly [RuleSet, ...RuleSet[]] {
  return [own, ...ceilings.map(({ rules }) => rules)];
}

/** Returns the rules for the tool of a call, and for each MCP server that the call reaches. */
function rulesFor(
  { job, isMcp }: Subject,
  [own, ...others]: readonly [RuleSet, ...RuleSet[]],
  user: User | undefined,
): Limits["rules"] {
  const ofTool = own.forTool(job.tool, user);
  if (others.length === 0 && !isMcp) return [ofTool];
  const limiting = others.map((rules) => rules.forTool(job.tool, user));
  const ofServers = serverTools(job).flatMap((one) =>
    [own, ...others].map((rules) => rules.forTool(one, user)),
  );
  return [withAllows(ofTool, limiting), ...limiting, ...ofServers];
}

/** Adds to the policy's own rules for a tool those of the session that allow; a ceiling has none. */
function withAllows(own: ToolRules, others: readonly ToolRules[]): ToolRules {
  const allow = others.flatMap((rules) => rules.allow);
  return allow.length === 0 ? own : { ...own, allow: [...own.allow, ...allow] };
}

/** A layer that may allow replaces the mode; any other layer adds its own. */
function modesOf(mode: Mode, layers: readonly RuleLayer[]): readonly Mode[] {
  let modes: readonly Mode[] = [mode];
  for (const layer of layers) {
    if (layer.mode === undefined) continue;
    modes = layer.mayAllow ? [layer.mode] : [...modes, layer.mode];
  }
  return strictestModes(modes);
}

/** Returns true for the fact that a tool of an MCP server reaches its own server. */
function isOwnServer(fact: Fact, { source }: Tool): boolean {
  if (fact.kind !== "mcp" || !source.startsWith(SERVER)) return false;
  return source.length === SERVER.length + fact.server.length && source.endsWith(fact.server);
}

const SERVER = "mcp:";

/** Returns a tool for each other MCP server that the call reaches, so that deny and ask rules about the server apply. */
function serverTools({ tool, facts }: Job): readonly Tool[] {
  return facts.flatMap((fact) => {
    if (fact.kind !== "mcp" || isOwnServer(fact, tool)) return [];
    const name = `${fact.server}__${fact.tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_");
    return [{ ...tool, name, aliases: [], source: `${SERVER}${fact.server}` }];
  });
}

type Near = Pick<Limits, "workspace" | "border" | "sandbox" | "protectedReads">;

/** Returns what paths are compared with where nothing was granted. The sandbox changes while the policy is in use: a person sets the level. */
function nearOfEveryCall(options: PolicyOptions, protectedReads: Near["protectedReads"]): Near {
  return {
    workspace: options.workspace,
    border: options.border ?? "deny",
    protectedReads,
    get sandbox() {
      return options.sandbox;
    },
  };
}

/** Returns what paths are compared with: the workspace with the folders that a person added to it, and the sandbox. */
function nearOf(everyCall: Near, { grants = [], isElsewhere }: Circumstances): Near {
  if (grants.length === 0 && isElsewhere !== true) return everyCall;
  const added = grants.flatMap(({ tool, adds }) =>
    tool === WORKSPACE_GRANT && adds !== undefined ? [adds] : [],
  );
  return {
    ...everyCall,
    workspace: added.length === 0 ? everyCall.workspace : [...everyCall.workspace, ...added],
    sandbox: isElsewhere === true ? undefined : everyCall.sandbox,
  };
}

/** Returns true for a command that is proven only as far as the read-only sandbox holds it, but would run in the session's: it can write there. */
function needsOtherBox(subject: Subject, near: Near): boolean {
  return namesPrivate(subject, near) && subject.commands.some(({ fact }) => fact.reading?.box === "needed");
}

function judgeSubject(subject: Subject, limits: Limits): Verdict {
  return complete(demandApprovers(judgeInOrder(subject, limits), subject, limits), subject, limits.risk);
}

/** Adds the risk, if it was judged lower, and the program and arguments, if no shell is needed. */
function complete(verdict: Verdict, subject: Subject, risk: Risk): Verdict {
  if (subject.commands.length === 0) return verdict;
  const argv = verdict.kind === "deny" ? undefined : provenArgv(subject);
  const judged = risk === subject.job.risk ? verdict : { ...verdict, risk };
  return argv === undefined ? judged : { ...judged, proven: argv };
}
