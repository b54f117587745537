import { isAbsolute, normalize } from "node:path";
import type { ApprovalRequest } from "../../../core/approval.ts";
import type { PathFact } from "../../../core/fact.ts";
import { visibleLine } from "../../../util/text/visible.ts";
import { shownPath } from "./describe-fact.ts";
import { OWN_QUESTION } from "./question.ts";

const MAX_COMMAND = 200;

/** The session of an agent below another ends with its id. */
const AGENT = /\.(agent-[0-9a-f]+)$/;

/**
 * Returns what a call would do, in a few words: `Edit src/sum.ts  +1 −1`, `Run npm publish`, after the id of a sub-agent that made it.
 * Without hidden characters, on one line.
 */
export function questionTitle(request: ApprovalRequest, diff: string | undefined): string {
  const [, agent] = AGENT.exec(request.session ?? "") ?? [];
  const title = agent === undefined ? titleOf(request) : `${agent}: ${titleOf(request)}`;
  return visibleLine(title) + (diff === undefined ? "" : countsOf(diff));
}

function titleOf({ tool, input, facts, question, folder }: ApprovalRequest): string {
  const nameOf = ({ path }: PathFact): string => {
    const visiblePath = shownPath(path, folder);
    return visiblePath === path ? shortPath(path, input["path"]) : visiblePath;
  };
  if (question !== undefined) return tool === OWN_QUESTION ? question.text : `${tool} asks`;
  const [command, ...others] = facts.flatMap((fact) => (fact.kind === "command" ? [fact.text.trim()] : []));
  if (command !== undefined) {
    const isShort = others.length === 0 && command.length <= MAX_COMMAND && !command.includes("\n");
    return isShort ? `Run ${command}` : "Run a command";
  }
  if (facts.length === 0 || !facts.every(({ kind }) => kind === "path")) return `Use ${tool}`;
  const [changed, ...more] = facts.flatMap((fact) =>
    fact.kind === "path" && fact.access === "write" ? [fact] : [],
  );
  const [read, ...further] = facts.flatMap((fact) => (fact.kind === "path" ? [fact] : []));
  if (changed === undefined)
    return read === undefined || further.length > 0 ? `Use ${tool}` : `Read ${nameOf(read)}`;
  const name = more.length > 0 ? `${more.length + 1} files` : nameOf(changed);
  return `${verbOf(changed, more)} ${name}`;
}

function verbOf(first: PathFact, more: readonly PathFact[]): string {
  const all = [first, ...more];
  if (all.every(({ change }) => change === "delete")) return "Delete";
  return all.every(({ inode }) => inode === undefined) ? "Create" : "Edit";
}

/** Returns the path as the call named it, if that is the end of the judged one: then it is relative to the workspace. */
function shortPath(path: string, named: unknown): string {
  if (typeof named !== "string" || isAbsolute(named)) return path;
  const relative = normalize(named);
  return !relative.startsWith("..") && path.endsWith(`/${relative}`) ? relative : path;
}

function countsOf(diff: string): string {
  const lines = diff.split("\n");
  const start = lines.findIndex((line) => line.startsWith("@@"));
  // In the hunks of one file every line is one of the file: `--- b` is the removed line `-- b`.
  const isOne = start >= 0 && lines.filter((line) => line.startsWith("+++ ")).length === 1;
  const counted = isOne ? lines.slice(start) : lines.filter((line) => !/^(?:---|\+\+\+) /.test(line));
  const count = (mark: string): number => counted.filter((line) => line.startsWith(mark)).length;
  return `  +${count("+")} −${count("-")}`;
}
