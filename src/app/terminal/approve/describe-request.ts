import type { Approval, ApprovalRequest, Approver, InnerRequest } from "../../../core/approval.ts";
import type { CommandReading, SimpleCommand } from "../../../core/command.ts";
import type { GrantOffer } from "../../../core/grant.ts";
import type { Fact } from "../../../core/fact.ts";
import { quoteName } from "../../../util/text/file-name.ts";
import { visible } from "../../../util/text/visible.ts";

/** Describes everything that a call would do, without control characters; with a diff, that in place of the input. */
export function describeRequest(request: ApprovalRequest, diff?: string): string {
  const { tool, risk, reason, input, facts, question, calls = [] } = request;
  const lines = [
    "",
    question === undefined ? `${visible(tool)} wants to run (${risk} risk)` : `${visible(tool)} asks`,
    `  ${visible(reason)}`,
    ...indented(diff?.trimEnd().replaceAll("\t", "    ") ?? JSON.stringify(input, undefined, 2)),
    ...facts.flatMap((fact) => indented(`touches: ${describeFact(fact)}`)),
    ...calls.flatMap((call, index) => indented(describeInner(call, index))),
  ];
  return `${lines.join("\n")}\n`;
}

/** Describes one of the calls that a call would make, and what decides it. */
export function describeInner(
  { tool, decision, isAskedAgain, reason, facts }: InnerRequest,
  index: number,
): string {
  const ask = isAskedAgain === true ? "gets a question of its own" : "is approved with this answer";
  const decided = { ask, allow: "runs anyway", deny: "is denied" }[decision];
  const lines = [`call ${index + 1}: ${tool} ${decided}: ${reason}`, ...facts.map(describeFact)];
  return lines.join("\n  ");
}

/** Returns the rule that "always" would save, or why the call can only be allowed once. */
export function describeGrant({ grant, ungrantable, question, offers = [] }: ApprovalRequest): string {
  if (question !== undefined) return "";
  const shown = offers.map((offer, index) => `  ${index + 1} would save: ${describeOffer(offer)}\n`).join("");
  if (grant !== undefined) return `  always would save: ${visible(JSON.stringify(grant))}\n${shown}`;
  const isOnce = ungrantable !== undefined && offers.length === 0;
  return isOnce ? `  only once: ${visible(ungrantable)}\n` : shown;
}

/** Returns an offer as text: what it allows from now on, and its warning. */
export function describeOffer({ scope, label, warning }: GrantOffer): string {
  const text = scope === "always" ? `always allow ${label}` : `allow ${label}, for this session`;
  return visible(warning === undefined ? text : `${text} (${warning})`);
}

type Scope = Extract<Approval, { readonly approved: true }>["scope"];

/** Returns the scopes that an approval of this request can have. */
export function scopesOf({ grant, ungrantable, question }: ApprovalRequest): readonly Scope[] {
  if (question !== undefined || ungrantable !== undefined) return ["once"];
  return grant === undefined ? ["once", "session"] : ["once", "session", "always"];
}

/** Returns what an approval for the session allows: the rule that always would save, or else this call alone. */
export function sessionGrant({ grant }: ApprovalRequest): string {
  return grant === undefined || grant.exact === true ? "this exact call" : "the rule that is shown";
}

/** Describes one thing that a call would touch; of a command, also what it runs. */
export function describeFact(fact: Fact): string {
  if (fact.kind === "path")
    return `${fact.access} ${quoteName(fact.path)}${fact.inode === undefined ? " (new)" : ""}`;
  if (fact.kind === "mcp") return `MCP server ${fact.server}, tool ${fact.tool}`;
  if (fact.kind === "host") return `host ${fact.host}`;
  const command = `command ${fact.text} (in ${fact.cwd})`;
  return [command, ...(fact.reading === undefined ? [] : describeReading(fact.reading))].join("\n");
}

/** Returns one line for each program that the command would run. */
function describeReading({ certainty, commands, doubt }: CommandReading): readonly string[] {
  const runs = commands.map((command) => `  runs: ${describeCommand(command)}`);
  if (certainty === "proven") return runs;
  const may = certainty === "read" ? "and perhaps more" : "it cannot be read";
  return [...runs, `  ${may}${doubt === undefined ? "" : `: ${doubt}`}`];
}

function describeCommand({ words, assignments, redirects, via }: SimpleCommand): string {
  const line = [
    ...assignments.map(({ text }) => text),
    ...words.map(({ text, literal }) => (literal ? quoted(text) : `${text}…`)),
    ...redirects.map(({ access, target }) => `${access === "write" ? ">" : "<"} ${target.text}`),
  ].join(" ");
  return via.length === 0 ? line : `${line} (by ${via.join(", ")})`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function indented(text: string): readonly string[] {
  return visible(text)
    .split("\n")
    .map((line) => `  ${line}`);
}

/** Returns the answer of a person who does not allow a call, with the reason they gave. */
export function declined(reason = ""): Approval {
  return { approved: false, reason, declined: true };
}

/** Returns an approver that denies every request, with a hint how to allow the call. */
export function denyAll(reason: string, hint: string): Approver {
  return { ask: () => Promise.resolve({ approved: false, reason, hint }) };
}

/** Returns the approval that saves the wider rule with this index; undefined if the request does not offer it. */
export function approvalOf({ question, offers }: ApprovalRequest, offer: number): Approval | undefined {
  const offered = question === undefined ? offers?.[offer] : undefined;
  return offered && { approved: true, scope: offered.scope, offer };
}

/** Returns the denial of a call for which there is no valid answer. */
export function refused(reason: string): Approval {
  return { approved: false, reason, hint: "nothing was run" };
}
