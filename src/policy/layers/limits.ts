import type { PlacedTool } from "../../core/executor.ts";
import type { Grant } from "../../core/grant.ts";
import type { Border, Circumstances, Mode } from "../../core/policy.ts";
import type { Job } from "../../core/job.ts";
import type { Risk } from "../../core/spec.ts";
import type { CommandKnowledge } from "../../shell/syntax/command-knowledge.ts";
import { CompiledRule, type RuleContext } from "../match/compile-rule.ts";
import type { Subject } from "../match/subject.ts";
import type { ProtectedReads } from "../protect/protected-reads.ts";
import type { AllowedRisks } from "./modes.ts";
import type { ToolRules } from "./rule-set.ts";

/** Everything that one call is judged by. */
export interface Limits {
  /** The policy's own rules, then those of each ceiling, which allow nothing. */
  readonly rules: readonly [ToolRules, ...ToolRules[]];
  /** The strictest decides. */
  readonly modes: readonly Mode[];
  readonly allowed: AllowedRisks;
  readonly risk: Risk;
  /** Every command is proven to only read, and the call does nothing else. */
  readonly readsOnly: boolean;
  /** With the folders that were added to it. */
  readonly workspace: readonly string[];
  readonly border: Border;
  /** Folders in which every write needs approval; folded. */
  readonly protectedFolders: readonly string[];
  /** The files that are protected for reading. */
  readonly protectedReads: ProtectedReads;
  readonly knowledge: CommandKnowledge | undefined;
  /** False if a ceiling does not include the tool. */
  readonly mayRun: boolean;
  /** Calls that are proven read-only run without approval. */
  readonly readingIsFree: boolean;
  readonly grants: Grants;
  /** Where text from outside in the session came from, if calls that can send data therefore need approval. */
  readonly untrusted: readonly string[] | undefined;
  readonly sandbox: PolicySandbox | undefined;
  /** Undefined without the setting. */
  readonly strictDeny: StrictDeny | undefined;
}

/** What policy knows of the sandbox in which programs run. */
export interface PolicySandbox {
  /** Returns true for a job that can change only the workspace there, and reach no network. */
  readonly isConfined: (job: Job) => boolean;
  /** Modes `edits` and `auto` allow such jobs. */
  readonly runsUnasked: boolean;
  /** Returns true for a job that runs there and sees no files of this machine but the workspace and programs. Default: no job does. */
  readonly isPrivate?: (job: Job) => boolean;
  /** It has a system of its own, whose files are not those of this machine. */
  readonly hasOwnSystem?: boolean;
}

/** What the setting `strictDeny` has: the sandbox for programs that deny rules cannot see into, or why there is none. */
export interface StrictDeny {
  readonly sandbox?: StrictSandbox;
  /** Why no sandbox works, as text for people. */
  readonly reason?: string;
}

export interface StrictSandbox {
  /** Programs in it reach other machines, or ports of this one. */
  readonly hasNetwork: boolean;
  /** Returns true for a tool whose calls can run in it. */
  readonly holds: (tool: PlacedTool) => boolean;
}

/** The stored grants for the called tool. */
export interface Grants {
  /** Returns them as allow rules. */
  rules(): readonly CompiledRule[];
  /** Returns the grant of exactly this call. */
  exact(): Grant | undefined;
}

/** Creates a function that returns the grants for a tool. Each grant is compiled once, when its tool is first called. */
export function createGrants(
  context: RuleContext,
): (subject: Subject, circumstances: Circumstances) => Grants {
  const known = new WeakMap<Grant, CompiledRule>();
  const compile = (grant: Grant): readonly CompiledRule[] => {
    const { rule, id, scope, folder } = grant;
    if (rule === undefined || rule.decision !== "allow") return [];
    const compiled = known.get(grant) ?? new CompiledRule(rule, `grant.${id}`, scope, { ...context, folder });
    known.set(grant, compiled);
    return [compiled];
  };
  return ({ job, commands }, { grants = NONE, hash }) => {
    if (grants.length === 0) return NO_GRANTS;
    const own = grants.filter((grant) => grant.tool === job.tool.name);
    const here = commands[0]?.fact.cwd;
    return {
      rules: () => own.flatMap(compile),
      exact() {
        const wanted = own.length === 0 ? undefined : hash?.();
        return wanted === undefined
          ? undefined
          : own.find(({ hash: given, folder = here }) => given === wanted && folder === here);
      },
    };
  };
}

const NONE: readonly Grant[] = Object.freeze([]);
const NO_GRANTS: Grants = { rules: () => [], exact: () => undefined };
