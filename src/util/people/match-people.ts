import type { Rule } from "../../core/rule.ts";
import type { Approvers, People, Subject } from "../../core/subject.ts";

/** Returns whether a user is one of the people; `possible` if that is not known. */
function matchPeople(people: People, user: Subject | undefined): "certain" | "possible" | "none" {
  if (user === undefined) return "possible";
  const matches = new Set([
    matchNames(people.people, [user.id]),
    matchNames(people.groups, user.groups),
    matchNames(people.roles, user.roles),
  ]);
  if (matches.has("certain")) return "certain";
  return matches.has("possible") ? "possible" : "none";
}

/** Returns whether a rule is about calls of a user; `possible` if that is not known, in rules that deny or ask. */
export function matchUser(
  { who, except, decision }: Pick<Rule, "who" | "except" | "decision">,
  user: Subject | undefined,
): "certain" | "possible" | "none" {
  const isOf = who === undefined ? "certain" : matchPeople(who, user);
  const isExcepted = except === undefined ? "none" : matchPeople(except, user);
  if (isOf === "none" || isExcepted === "certain") return "none";
  if (decision === "allow") return isOf === "certain" && isExcepted === "none" ? "certain" : "none";
  return isOf;
}

function matchNames(wanted: readonly string[] = [], names: readonly string[] | undefined) {
  if (wanted.length === 0) return "none";
  if (names === undefined) return "possible";
  return wanted.some((name) => names.includes(name)) ? "certain" : "none";
}

/** Returns the first demand that these approvers do not meet; undefined if they meet all of them. */
export function missingApprovers(
  demands: readonly Approvers[],
  approvers: readonly Subject[],
  caller: string | undefined,
): Approvers | undefined {
  return demands.find((demand) => {
    const able = approvers.filter((one) => mayApprove(demand, one, caller));
    return new Set(able.map(({ id }) => id)).size < (demand.count ?? 1);
  });
}

/** Returns true if the approval of this person counts for the demand. */
export function mayApprove(demand: Approvers, person: Subject, caller: string | undefined): boolean {
  if (demand.notSelf === true && (caller === undefined || caller === person.id)) return false;
  const { people, groups, roles } = demand;
  const isAnybody = people === undefined && groups === undefined && roles === undefined;
  return isAnybody || matchPeople(demand, person) === "certain";
}

/** Returns who must approve, as text for people: `2 people of group dba, not the caller`. */
export function describeApprovers(demand: Approvers): string {
  const { count = 1, notSelf } = demand;
  const whom = describePeople(demand) ?? "any person who may approve";
  const number = count === 1 ? whom : `${count} different people: ${whom}`;
  return notSelf === true ? `${number}, but not the caller` : number;
}

/** Returns the people as text; undefined if they are not restricted. */
export function describePeople({ people = [], groups = [], roles = [] }: People): string | undefined {
  const names = [...people, ...groups.map((name) => `group ${name}`), ...roles.map((name) => `role ${name}`)];
  return names.length === 0 ? undefined : names.join(" or ");
}
