import type { Redirect, Word } from "../../core/command.ts";
import { doubtOfCommand } from "./doubt-of-command.ts";
import type { Doubt, Separator, Token, WordToken } from "./token.ts";

/** More commands than this are not worth proving. */
const MAX_COMMANDS = 256;

/** A simple command, and what stands after it; a line break, or the end, counts as `;`. */
export interface Part {
  readonly words: readonly Word[];
  readonly assignments: readonly Word[];
  readonly redirects: readonly Redirect[];
  readonly isRewired: boolean;
  readonly after: Exclude<Separator, "\n">;
}

/** Makes simple commands of tokens; doubts every list that a shell would refuse, or read on after its end. */
export function group(tokens: readonly Token[]): readonly Part[] | Doubt {
  const parts: Part[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at] ?? END;
    if (token.kind !== "separator") continue;
    if (at === from) {
      // A line break may stand where a command could: before one, and after an operator that waits for one.
      const isOpen = token === END && waits(parts.at(-1)?.after);
      if (token.text !== "\n" || isOpen) return { doubt: "a command is missing beside an operator" };
    } else {
      const part = readPart(tokens.slice(from, at), token.text === "\n" ? ";" : token.text);
      if ("doubt" in part) return part;
      parts.push(part);
    }
    from = at + 1;
  }
  if (parts.length === 0) return { doubt: "there is no command" };
  return parts.length > MAX_COMMANDS ? { doubt: `it has more than ${MAX_COMMANDS} commands` } : parts;
}

const END = { kind: "separator", text: "\n", end: 0 } as const satisfies Token;

function waits(after: Part["after"] | undefined): boolean {
  return after === "&&" || after === "||" || after === "|";
}

function readPart(tokens: readonly Token[], after: Part["after"]): Part | Doubt {
  const words: Word[] = [];
  const assignments: Word[] = [];
  const redirects: Redirect[] = [];
  let first: WordToken | undefined;
  let access: Redirect["access"] | undefined;
  let isRewired = false;
  let hasDocument = false;
  for (const token of tokens) {
    if (access !== undefined) {
      const target = targetOf(token);
      if ("doubt" in target) return target;
      redirects.push({ access, target });
      access = undefined;
    } else if (token.kind === "redirect") {
      access = token.access;
    } else if (token.kind === "rewire") {
      isRewired = true;
      hasDocument ||= token.delimiter !== undefined;
    } else if (token.kind === "word") {
      const word = { text: token.text, literal: true };
      const isAssignment = first === undefined && token.isAssignment;
      first ??= isAssignment ? undefined : token;
      (isAssignment ? assignments : words).push(word);
    }
  }
  if (access !== undefined) return { doubt: "a redirection has no file" };
  const doubt = doubtOfCommand({ first, words, assignments, hasDocument });
  return doubt === undefined ? { words, assignments, redirects, isRewired, after } : { doubt };
}

function targetOf(token: Token): Word | Doubt {
  if (token.kind !== "word") return { doubt: "a redirection has no file" };
  if (token.text === "" || token.hasBrace) return { doubt: "the file of a redirection is unclear" };
  if (/\/dev\/+(?:tcp|udp)/.test(token.text)) return { doubt: "bash opens a connection by that name" };
  return { text: token.text, literal: true };
}
