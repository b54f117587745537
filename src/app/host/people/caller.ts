import type { ApprovalRequest } from "../../../core/approval.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Subject } from "../../../core/subject.ts";
import type { Ceiling } from "../../../core/policy.ts";
import { mayApprove } from "../../../util/people/match-people.ts";
import { TOKEN_RIGHTS, type Right, type TokenName } from "../../config/access/http-tokens.ts";

/** Who makes a request over HTTP, and what they may do. */
export interface Caller {
  /** For people: `alice`, or `the admin token`. */
  readonly name: string;
  readonly rights: readonly Right[];
  /** Absent for a token of the server, which acts for nobody. */
  readonly subject?: Subject;
  /** Limits of the calls. */
  readonly ceilings: readonly Ceiling[];
  /** Aborted when the token or the person no longer counts; absent for a token of the server, which counts as long as the server runs. */
  readonly ended?: AbortSignal;
}

/** Returns the caller with a token of the server. */
export function tokenCaller(token: TokenName): Caller {
  return { name: `the ${token} token`, rights: TOKEN_RIGHTS[token], ceilings: [] };
}

/** Returns the person whose records alone the caller may read; undefined for a caller who may read those of all. */
export function onlySubject({ rights, subject }: Caller): string | undefined {
  return rights.includes("read") ? undefined : subject?.id;
}

/** Returns the person whose calls alone the caller may cancel; undefined for a caller who may cancel those of all. */
export function subjectToCancel({ rights, subject }: Caller): string | undefined {
  return rights.includes("admin") ? undefined : subject?.id;
}

/**
 * Returns whether a caller sees a request for approval: their own, those that they may approve by the rules of the call, and with the right to read
 * everything those whose rules name no approvers.
 */
export function seesRequest(
  { rights, subject }: Pick<Caller, "rights" | "subject">,
  { subject: user, approvers }: Pick<ApprovalRequest, "subject" | "approvers">,
): boolean {
  if (rights.includes("admin") || (subject !== undefined && subject.id === user)) return true;
  if (approvers === undefined) return rights.includes("read");
  if (subject === undefined || !rights.includes("approve")) return false;
  return approvers.some((demand) => mayApprove(demand, subject, user));
}

/** Returns the session that a caller means by a name: people have sessions of their own, which no other caller can name. Throws for a name of those. */
export function sessionFor(subject: Subject | undefined, name: string): string {
  if (subject !== undefined) return `${sessionPrefix(subject.id)}${name}`;
  if (!name.startsWith(PERSON)) return name;
  throw new ToolError("INVALID_INPUT", `the session ${JSON.stringify(name)} belongs to a person`, {
    hint: `choose a name that does not begin with ${PERSON}`,
  });
}

const PERSON = "person:";

/** Returns how the sessions of a person begin; no name of a person has a colon. */
export function sessionPrefix(subject: string): string {
  return `${PERSON}${subject}:`;
}
