import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { CompiledRule } from "./compile-rule.ts";
import type { Likeness } from "./match-command.ts";
import { matchStrictly, weakest } from "./match-command.ts";
import { namesCommand } from "./match-code.ts";
import { mayTouch } from "./may-touch.ts";
import { namesHost } from "./names-host.ts";
import type { Subject } from "./subject.ts";
import { runsCode } from "./subject.ts";

/** Whether a deny or an ask that applies to the tool matches the call: every condition must. */
export function likenessOf(rule: CompiledRule, subject: Subject): Likeness {
  const { paths, isOpenEnded } = subject;
  if (rule.paths !== undefined && paths.length === 0 && !isOpenEnded) return "none";
  const byHost = hostLikeness(rule, subject);
  if (byHost === "none") return "none";
  const { input, isExact } = rule;
  if (input !== undefined && !hasInput(subject.job.input, input, isExact)) return "none";
  const byCommand = weakest(byHost, commandLikeness(rule, subject));
  if (byCommand === "none" || rule.paths === undefined) return byCommand;
  return weakest(byCommand, pathLikeness(rule, subject));
}

function hostLikeness({ hosts: pattern, knowledge }: CompiledRule, { hosts, commands }: Subject): Likeness {
  if (pattern === undefined || hosts.some(pattern)) return "certain";
  return commands.some((view) => namesHost(view, pattern, knowledge)) ? "possible" : "none";
}

/** True where the parameters have exactly these values; with `isWhole`, and there are no others. */
export function hasInput(given: JsonObject, wanted: JsonObject, isWhole: boolean): boolean {
  const keys = Object.keys(wanted);
  if (isWhole && Object.keys(given).length !== keys.length) return false;
  return keys.every((key) => Object.hasOwn(given, key) && isEqual(given[key], wanted[key]));
}

/** True for two values that are the same JSON, whatever the order of their keys. */
function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return (
      one.length === other.length && one.every((item: Json, index) => isEqual(item, other[index] as Json))
    );
  }
  if (isObject(one) && isObject(other)) return hasInput(one, other, true);
  return one === other;
}

function commandLikeness({ command, knowledge, rule }: CompiledRule, { commands }: Subject): Likeness {
  let best: Likeness = "none";
  if (command === undefined) return "certain";
  for (const view of commands) {
    if (view.certainty === "unread" || view.certainty === "unreadable") best = "possible";
    // Of an ask this would be too much: words like `shutdown` are in much code that stops no machine.
    else if (rule.decision === "deny" && runsCode(view) && namesCommand(view, command, knowledge))
      best = "possible";
    for (const part of view.parts) {
      const likeness = matchStrictly(command, part);
      if (likeness === "certain") return likeness;
      if (likeness === "possible") best = likeness;
    }
  }
  return best;
}

function pathLikeness({ paths, access }: CompiledRule, subject: Subject): Likeness {
  if (paths === undefined) return "certain";
  let best: Likeness = "none";
  for (const view of subject.paths) {
    if (access !== undefined && view.access !== access) continue;
    if (!paths.matches(view)) continue;
    if (!view.isSuspected) return "certain";
    best = "possible";
  }
  if (best === "possible" || !subject.isOpenEnded) return best;
  return mayTouch(paths, access, subject) ? "possible" : "none";
}
