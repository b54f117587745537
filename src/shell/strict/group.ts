import type { Redirect, Word } from "../../core/command.ts";
import { isReserved, leavesShellAlone } from "../syntax/shell-builtins.ts";
import { UNKNOWN_TEXT } from "../syntax/printed-text.ts";
import type { Doubt, Separator, Token, WordToken } from "./token.ts";

/** More commands than this are not worth proving. */
const MAX_COMMANDS = 256;

/** A simple command and its separator; a line break or the end counts as `;`. */
export interface Part {
  readonly words: readonly Word[];
  readonly assignments: readonly Word[];
  readonly redirects: readonly Redirect[];
  readonly isRewired: boolean;
  /** What it reads on standard input, if that is a file or a here-document. */
  readonly input: Word | undefined;
  readonly after: Exclude<Separator, "\n">;
}

/** Groups tokens into simple commands. Doubts every list that a shell would reject or continue to read. */
export function group(tokens: readonly Token[]): readonly Part[] | Doubt {
  const parts: Part[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at] ?? END;
    if (token.kind !== "separator") continue;
    if (at === from) {
      // A line break is allowed before a command and after an operator that needs one.
      const isOpen = token === END && needsCommand(parts.at(-1)?.after);
      if (token.text !== "\n" || isOpen) return { doubt: "a command is missing next to an operator" };
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

function needsCommand(after: Part["after"] | undefined): boolean {
  return after === "&&" || after === "||" || after === "|";
}

function readPart(tokens: readonly Token[], after: Part["after"]): Part | Doubt {
  const words: Word[] = [];
  const assignments: Word[] = [];
  const redirects: Redirect[] = [];
  let first: WordToken | undefined;
  let access: Redirect["access"] | undefined;
  let isRewired = false;
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
    } else if (token.kind === "word") {
      const word = { text: token.text, literal: token.expands === undefined };
      const isAssignment = first === undefined && token.isAssignment;
      first ??= isAssignment ? undefined : token;
      (isAssignment ? assignments : words).push(word);
    }
  }
  if (access !== undefined) return { doubt: "a redirection has no file" };
  const document = documentOf(tokens);
  const doubt = doubtOfCommand({ first, words, assignments, hasDocument: document !== undefined });
  if (doubt !== undefined) return { doubt };
  const readsFile = redirects.some((redirect) => redirect.access === "read");
  return { words, assignments, redirects, isRewired, input: readsFile ? UNKNOWN_TEXT : document, after };
}

/** Returns the body of the here-document that a command reads. */
function documentOf(tokens: readonly Token[]): Word | undefined {
  for (const token of tokens)
    if (token.kind === "rewire" && token.delimiter !== undefined)
      return { text: token.body ?? "", literal: true };
  return undefined;
}

function targetOf(token: Token): Word | Doubt {
  if (token.kind !== "word") return { doubt: "a redirection has no file" };
  if (token.text === "" || token.hasBrace || token.expands !== undefined)
    return { doubt: "the file of a redirection is unclear" };
  if (/\/dev\/+(?:tcp|udp)/.test(token.text))
    return { doubt: "bash opens a network connection for that name" };
  return { text: token.text, literal: true };
}

/** Variables that determine the target of `cd`. */
const PLACE_VARIABLE = /^(?:HOME|CDPATH|PWD|OLDPWD)=/;

/** Programs that run their input as commands. */
const RUNS_INPUT = /(?:^|\/)(?:(?:ba|da|a|z|k|mk|pdk|c|tc|fi|r|s|ya|o)?sh|busybox|xargs|parallel)$/;

interface CommandWords {
  /** The program, as written; undefined for a bare redirection or assignment. */
  readonly first: WordToken | undefined;
  readonly words: readonly Word[];
  readonly assignments: readonly Word[];
  readonly hasDocument: boolean;
}

/** Returns why these words may be more than one program with its arguments. */
function doubtOfCommand({ first, words, assignments, hasDocument }: CommandWords): string | undefined {
  if (assignments.some(({ text }) => PLACE_VARIABLE.test(text))) return "an assignment changes where cd goes";
  if (first === undefined) return undefined;
  const name = first.text;
  if (isReserved(name)) return `${name} is a keyword of the shell`;
  if (name === "") return "the program has no name";
  if (first.hasBrace || first.expands !== undefined) return "the program's name is expanded";
  if (name.startsWith("%")) return "bash treats the program's name as a job";
  if (name.includes("=")) return "the program's name contains =, so it may be an assignment";
  if (!leavesShellAlone(words)) return `${name} may change the shell or run text in it`;
  if (hasDocument && words.some(({ text }) => RUNS_INPUT.test(text)))
    return "a here-document is run by the program that reads it";
  return undefined;
}
