import { resolve } from "node:path/posix";
import type { CommandReading } from "../../core/command.ts";
import type { CommandFact } from "../../core/fact.ts";
import { decodeEscapes } from "../../shell/syntax/escapes.ts";
import type { CommandKnowledge } from "../../shell/syntax/command-knowledge.ts";
import { fold } from "../../util/text/fold.ts";
import { UNKNOWN_HOST, type Host } from "../../util/text/host/host.ts";
import { CommandPart } from "./command-part.ts";
import { hostsIn } from "./hosts-in.ts";
import { PathView } from "./match-path.ts";
import { codePathsIn, pathsIn, programsIn, wordsIn } from "./words-in.ts";
import { findWritten, runsWritten, type WrittenFiles } from "./written-files.ts";

/** The cost of comparing one command with one rule is limited; beyond it the comparison counts as a possible match. */
const MAX_PATHS = 4000;

interface ArgumentPath {
  readonly path: PathView;
  readonly part: CommandPart;
}

/** A command of a job, with the parts of its reading that can be trusted. Costly properties are computed once. */
export class CommandView {
  readonly fact: CommandFact;
  /** `unread`: this policy does not read commands. */
  readonly certainty: CommandReading["certainty"] | "unread";
  readonly parts: readonly CommandPart[];
  readonly isReadOnly: boolean;
  /** It only reads, in a read-only sandbox. */
  readonly readsInBox: boolean;
  private cachedRunsCode: boolean | undefined = undefined;
  private cachedRunsWritten: boolean | undefined = undefined;
  private cachedWritten: WrittenFiles | undefined = undefined;
  private cachedCodes: readonly string[] | undefined = undefined;
  private cachedWords: readonly string[] | undefined = undefined;
  private cachedPrograms: ReadonlyMap<string, readonly number[]> | undefined = undefined;
  private cachedPaths: readonly ArgumentPath[] | undefined = undefined;
  private cachedCodePaths: readonly string[] | undefined = undefined;
  private cachedHosts: readonly Host[] | undefined = undefined;

  constructor(fact: CommandFact, knowledge: CommandKnowledge | undefined) {
    const { reading, interactive, outside } = fact;
    this.fact = fact;
    this.certainty = certaintyOf(fact, knowledge);
    this.parts = reading?.commands.map((command) => new CommandPart(command, knowledge)) ?? [];
    const isHere = interactive !== true && outside !== true;
    this.isReadOnly = isHere && this.certainty === "proven" && reading?.isReadOnly === true;
    this.readsInBox = isHere && reading?.readsInBox === true && reading.box === "needed";
  }

  /** Nothing certain is known about it. */
  get isUnknown(): boolean {
    return this.certainty === "unread" || this.certainty === "unreadable";
  }

  /**
   * A part of it runs code in another language, a program that is not in the tables, or a file that another part may have
   * written. A command that is proven read-only starts nothing.
   */
  get runsCode(): boolean {
    return (this.cachedRunsCode ??=
      !this.isReadOnly && (this.parts.some((part) => part.runsCode || !part.isKnown) || this.runsWritten));
  }

  /**
   * A part of it runs a file that another part may have written: a script of a shell, a program, or, if the content does not
   * appear in the text, a script in another language.
   */
  get runsWritten(): boolean {
    return (this.cachedRunsWritten ??=
      !this.isReadOnly && this.parts.some((part) => runsWritten(part, this.written, this.parts)));
  }

  /** Every word of its text may be code: a part that runs code reads a text of another part, or a file that it wrote. */
  get isAllCode(): boolean {
    const { all, isOpen } = this.written;
    if (isOpen || all.size > 0) return true;
    return this.parts.some(
      ({ runsCode, isKnown, command }) => (runsCode || !isKnown) && command.input !== undefined,
    );
  }

  private get written(): WrittenFiles {
    return (this.cachedWritten ??= findWritten(this.parts));
  }

  /**
   * Everything in its text that may be a word of code, whatever separates them; then the same once more without the escapes
   * and empty quotes within words, as a shell that the code starts would read `r\\m`, with blanks for the escapes that
   * mean one, as a language reads `"\\nrm"`, and in the arguments of programs that run code, as the shell passes them.
   */
  get words(): readonly string[] {
    if (this.cachedWords !== undefined) return this.cachedWords;
    const { text } = this.fact;
    const decoded = text.includes("\\") ? [decodeEscapes(text)] : [];
    const texts = [text, withoutEscapes(text), withBlanks(text), ...decoded, ...this.codes];
    return (this.cachedWords = texts.flatMap(wordsIn));
  }

  /** The arguments that may be code, without those that are certainly files. */
  get codes(): readonly string[] {
    return (this.cachedCodes ??= this.parts
      .filter(({ runsCode, isKnown }) => runsCode || !isKnown)
      .flatMap(({ command, traits }) => {
        const files = new Set(
          traits?.paths.filter(({ suspected }) => suspected !== true).map(({ text }) => text),
        );
        const texts = command.words.slice(1).map(({ text }) => text);
        return [...texts, command.input?.text ?? ""].filter((text) => text !== "" && !files.has(text));
      }));
  }

  /** The indexes of those words, by the folded base name of the program that each may be; after the written ones only new ones. */
  get wordPrograms(): ReadonlyMap<string, readonly number[]> {
    if (this.cachedPrograms !== undefined) return this.cachedPrograms;
    const textWords = wordsIn(this.fact.text);
    const known = new Set(textWords);
    const indexes = this.words
      .keys()
      .filter((at) => at < textWords.length || !known.has(this.words[at] ?? ""));
    const positions = new Map<string, number[]>();
    for (const at of indexes) {
      for (const name of programsIn(this.words[at] ?? "", this.isEditor)) {
        const places = positions.get(fold(name));
        if (places === undefined) positions.set(fold(name), [at]);
        else places.push(at);
      }
    }
    return (this.cachedPrograms = positions);
  }

  /** The paths that its words may name in code, from every folder in which a part runs. */
  get codePaths(): readonly string[] {
    if (this.cachedCodePaths !== undefined) return this.cachedCodePaths;
    const files = new Set(
      this.parts.flatMap(
        ({ traits }) =>
          traits?.paths.flatMap(({ text, suspected }) => (suspected === true ? [] : text)) ?? [],
      ),
    );
    const texts = new Set(this.words.flatMap((word) => codePathsIn(word, this.isEditor && !files.has(word))));
    const folders = new Set([this.fact.cwd, ...this.parts.flatMap(({ command }) => command.cwds)]);
    const paths = [...texts].flatMap((text) => [...folders].map((folder) => resolve(folder, text)));
    return (this.cachedCodePaths = [...new Set(paths)]);
  }

  /** A part runs an editor, whose commands may be glued to their arguments. */
  get isEditor(): boolean {
    return this.parts.some(({ program }) => EDITOR.test(program ?? ""));
  }

  /**
   * Returns true if an argument matches that may be a path to a program which is not proven to only read. Compared are the
   * names alone: each word, what follows a `@`, `=` or `:` in it, and what is attached to a letter. Only the arguments of
   * wanted parts; default: of all.
   */
  hasArgument(
    matches: (path: PathView) => boolean,
    isWanted = (_part: CommandPart): boolean => true,
  ): boolean {
    if (this.isReadOnly || !this.parts.some(isWanted)) return false;
    this.cachedPaths ??= this.candidates();
    if (this.cachedPaths.length === MAX_PATHS) return true;
    return this.cachedPaths.some(
      ({ path, part }) => isWanted(part) && matches(path) && part.traits?.isReadOnly !== true,
    );
  }

  /** Returns the path that a word of code may be. */
  resolve(word: string): PathView {
    return new PathView({ kind: "path", path: resolve(this.fact.cwd, word), access: "read" });
  }

  /** The hosts that it names: in a URL, after a user name, as an argument of a network program, or as a word of code. */
  get hosts(): readonly Host[] {
    if (this.cachedHosts !== undefined) return this.cachedHosts;
    const { fact, parts } = this;
    const texts = [fact.text];
    for (const { command } of parts) {
      for (const { text } of command.words) texts.push(text);
      for (const { text } of command.assignments) texts.push(text);
      for (const { target } of command.redirects) texts.push(target.text);
    }
    const isCode = this.runsCode || parts.some((part) => part.mayHaveAddress);
    const places = parts.some((part) => part.usesNetwork) ? "arguments" : isCode ? "code" : "urls";
    const hosts = hostsIn(texts, places);
    const isOpen = parts.some((part) => part.reachesAnyHost);
    return (this.cachedHosts = isOpen ? [...hosts, UNKNOWN_HOST] : hosts);
  }

  private candidates(): readonly ArgumentPath[] {
    const candidates: ArgumentPath[] = [];
    for (const part of this.parts) {
      if (part.opensNoFiles) continue;
      const { words, assignments, cwds } = part.command;
      for (const { text } of [...words.slice(1), ...assignments]) {
        for (const path of pathsIn(text)) {
          for (const cwd of cwds.length === 0 ? [this.fact.cwd] : cwds) {
            const view = new PathView({ kind: "path", path: resolve(cwd, path), access: "read" });
            candidates.push({ path: view, part });
            if (candidates.length === MAX_PATHS) return candidates;
          }
        }
      }
    }
    return candidates;
  }
}

/** Input for a running program may mean anything there: nothing is proven. */
function certaintyOf(
  { reading, interactive }: CommandFact,
  knowledge: CommandKnowledge | undefined,
): CommandView["certainty"] {
  if (reading === undefined) return knowledge === undefined ? "unread" : "unreadable";
  return reading.certainty === "proven" && interactive === true ? "read" : reading.certainty;
}

const EDITOR = /^(?:g?sed|ed|ex|n?vim?|view|rvim|emacs)$/;

function withoutEscapes(text: string): string {
  return text.replaceAll(/(?<=\w)(?:\\|''|"")+(?=\w)/g, "");
}

/** Escapes of line breaks and other blanks: `\\n`, `\\012`, `\\x0a`, `\\u000a`. */
function withBlanks(text: string): string {
  return text.replaceAll(/(?<!\\)\\+(?:[fnrtv]|0?1[1-5]|040|x(?:0[9a-d]|20)|u00(?:0[9a-d]|20))/gi, " ");
}
