import type { Circumstances, Policy } from "../../core/policy.ts";
import { fold } from "../../util/text/fold.ts";
import type { CompiledRule } from "../match/compile-rule.ts";
import { PathView } from "../match/match-path.ts";
import { isNamedByRule } from "../protect/find-protected-read.ts";
import type { ProtectedReads } from "../protect/protected-reads.ts";
import type { RuleSet, ToolRules } from "./rule-set.ts";

const NO_CIRCUMSTANCES: Circumstances = Object.freeze({});

/** Creates the checks of tools that walk folders or act for a page: policy has not judged each file and host that they meet. */
export function createHiding(
  setsOf: (circumstances: Circumstances) => readonly RuleSet[],
  reads: ProtectedReads,
): Required<Pick<Policy, "hidesAny" | "hides" | "hidesHost" | "protects">> {
  return {
    hidesAny: (tool, circumstances = NO_CIRCUMSTANCES) =>
      setsOf(circumstances).some((rules) =>
        someHiding(rules.forTool(tool, circumstances.subject), "read", () => true),
      ),
    hides: (path, tool, circumstances = NO_CIRCUMSTANCES, access = "read") =>
      setsOf(circumstances).some((rules) =>
        isHidden(path, rules.forTool(tool, circumstances.subject), access),
      ),
    hidesHost: (host, tool, circumstances = NO_CIRCUMSTANCES) =>
      setsOf(circumstances).some((rules) => isHiddenHost(host, rules.forTool(tool, circumstances.subject))),
    protects(path, tool, circumstances = NO_CIRCUMSTANCES) {
      if (!reads.isProtected(fold(path))) return false;
      const allow = setsOf(circumstances).flatMap(
        (rules) => rules.forTool(tool, circumstances.subject).allow,
      );
      return !isNamedByRule(path, allow, reads);
    },
  };
}

/** Returns true if a rule denies or asks before reading or writing the path with this tool. */
function isHidden(path: string, rules: ToolRules, access: "read" | "write"): boolean {
  const view = new PathView({ kind: "path", path, access });
  return someHiding(rules, access, ({ paths }) => paths?.matches(view) === true);
}

/** Returns true if a rule denies or asks before reaching the host with this tool. */
function isHiddenHost(host: string, { deny, ask }: ToolRules): boolean {
  const hides = ({ hosts, paths }: CompiledRule): boolean => paths === undefined && hosts?.(host) === true;
  return deny.withoutCommand.some(hides) || ask.withoutCommand.some(hides);
}

/** Returns true if the condition holds for one of the rules that deny or ask before reading or writing some path. */
function someHiding(
  { deny, ask }: ToolRules,
  access: "read" | "write",
  condition: (rule: CompiledRule) => boolean,
): boolean {
  const hides = (one: CompiledRule): boolean =>
    one.paths !== undefined && (one.access ?? access) === access && one.hosts === undefined && condition(one);
  return deny.withoutCommand.some(hides) || ask.withoutCommand.some(hides);
}
