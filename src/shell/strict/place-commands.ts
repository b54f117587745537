import type { SimpleCommand, Word } from "../../core/command.ts";
import { afterCd, eitherFolder, stay, type Outcome } from "../syntax/follow-cd.ts";
import { outputText } from "../syntax/printed-text.ts";
import type { ShellPlace } from "../syntax/script.ts";
import type { Part } from "./group.ts";

type Folders = readonly string[];

/** Adds the folders in which each command may start. A `cd` in a pipeline or in the background affects no other command. */
export function placeCommands(parts: readonly Part[], place: ShellPlace): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let folders: Folders = [place.cwd];
  let at = 0;
  while (at < parts.length) {
    const end = endOfList(parts, at);
    const outcome = placeList(parts.slice(at, end), folders, place, commands);
    if (parts[end - 1]?.after !== "&") folders = eitherFolder(outcome.ok, outcome.failed);
    at = end;
  }
  return commands;
}

function endOfList(parts: readonly Part[], start: number): number {
  let at = start;
  while (parts[at] !== undefined && parts[at]?.after !== ";" && parts[at]?.after !== "&") at += 1;
  return at + 1;
}

/** Places one list of `&&` and `||`, up to its `;` or `&`. */
function placeList(
  parts: readonly Part[],
  folders: Folders,
  place: ShellPlace,
  commands: SimpleCommand[],
): Outcome {
  let outcome = stay(folders);
  let before: Part["after"] | undefined;
  const isBackground = parts.at(-1)?.after === "&";
  for (let at = 0; at < parts.length;) {
    const end = endOfPipeline(parts, at);
    const members = parts.slice(at, end);
    const from = before === "||" ? outcome.failed : outcome.ok;
    let piped: Word | undefined;
    for (const part of members) {
      const isRewired = isBackground || members.length > 1 || part.isRewired;
      const input = part.input ?? piped;
      commands.push(toCommand(part, from, isRewired, input));
      if (members.length > 1) piped = outputText(part.words, input);
    }
    const next = afterPipeline(members, from, place);
    outcome = joined(outcome, next, before);
    before = parts[end - 1]?.after;
    at = end;
  }
  return outcome;
}

function endOfPipeline(parts: readonly Part[], start: number): number {
  let at = start;
  while (parts[at]?.after === "|") at += 1;
  return at + 1;
}

function toCommand(
  { words, assignments, redirects }: Part,
  cwds: Folders,
  isRewired: boolean,
  input: Word | undefined,
): SimpleCommand {
  const command = { words, assignments, redirects, cwds, via: [] };
  if (!isRewired && input === undefined) return command;
  return { ...command, ...(isRewired && { rewired: true }), ...(input !== undefined && { input }) };
}

function afterPipeline(members: readonly Part[], from: Folders, { home }: ShellPlace): Outcome {
  const only = members.length > 1 ? undefined : members[0];
  const name = only?.words[0]?.text;
  if (name === "cd") return { ok: afterCd(only?.words ?? [], from, home), failed: from };
  if (name === "pushd" || name === "popd") return { ok: [], failed: from };
  return stay(from);
}

/** A skipped command does not change the folder. */
function joined(known: Outcome, next: Outcome, before: Part["after"] | undefined): Outcome {
  if (before === "&&") return { ok: next.ok, failed: eitherFolder(known.failed, next.failed) };
  if (before === "||") return { ok: eitherFolder(known.ok, next.ok), failed: next.failed };
  return next;
}
