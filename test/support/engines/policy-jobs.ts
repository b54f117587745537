import { posix } from "node:path";
import type { CommandReading, PathWord, Redirect, SimpleCommand, Word } from "../../../src/core/command.ts";
import { defineTool } from "../../../src/schema/define/define-tool.ts";
import type { Fact, PathFact } from "../../../src/core/fact.ts";
import type { Job } from "../../../src/core/job.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Circumstances, Mode } from "../../../src/core/policy.ts";
import type { Verdict } from "../../../src/core/verdict.ts";
import type { Rule } from "../../../src/core/rule.ts";
import type { Risk } from "../../../src/core/spec.ts";
import type { Tool } from "../../../src/core/tool.ts";
import type { CommandKnowledge, Commands } from "../../../src/shell/syntax/command-knowledge.ts";
import { createPolicy } from "../../../src/policy/policy.ts";

export const WORKSPACE = "/w";
export const HOME = "/home/ada";

/** Returns a tool that is never run. */
export function toolNamed(name: string, risk: Risk = "medium"): Tool {
  return { ...defineTool({ name, description: "", risk, run: () => "" }), source: "built-in" };
}

export interface JobOptions {
  readonly tool?: Tool;
  readonly risk?: Risk;
  readonly input?: JsonObject;
}

export function jobOf(facts: readonly Fact[], { tool = WRITE, risk, input = {} }: JobOptions = {}): Job {
  const call = { id: "1", name: tool.name, input };
  return { call, tool, input, hidden: {}, facts, risk: risk ?? tool.risk };
}

const WRITE = toolNamed("write_file");
export const SHELL = toolNamed("shell", "high");

export function pathFact(path: string, access: PathFact["access"] = "read"): PathFact {
  return { kind: "path", path, access };
}

/** Returns a call of `shell` as the engine passes it to policy: read, with its paths resolved. */
export function shellJob(text: string, cwd = WORKSPACE, options: JobOptions = {}): Job {
  const reading = readPlainly(text, cwd);
  const facts = reading.paths.map(({ text: word, cwd: from, access, suspected }): Fact => ({
    kind: "path",
    path: posix.resolve(from, word.replace(/^~(?=\/|$)/, HOME)),
    access,
    ...(suspected === undefined ? {} : { suspected }),
  }));
  const command: Fact = { kind: "command", text, cwd, reading };
  return jobOf([command, ...facts], { tool: SHELL, input: { command: text }, ...options });
}

const PARTS =
  /\s*(?:(?<end>&&|\|\||[;|&\n])|(?<write>\d?>>?)|(?<read><)|(?<word>(?:'[^']*'|"[^"]*"|[^\s;|&<>'"])+))/y;
const TAKES_FILES = new Set(["cat", "cd", "grep", "head", "ls", "tail"]);
const READS = new Set([...TAKES_FILES, "echo", "pwd", "git diff", "git log", "git status"]);
const WRITES = new Set(["cp", "mkdir", "rm", "tee", "touch"]);
const UNGRANTABLE = new Set(["bash", "env", "npm", "python", "sudo"]);
const TAKES_VALUE = new Set(["-C", "-c", "-m"]);
const SYNONYMS: Readonly<Record<string, string>> = { "--recursive": "-r", "-R": "-r", "--force": "-f" };

/** A small command reader, sufficient for these tests. */
function readPlainly(text: string, cwd: string): CommandReading {
  const commands: SimpleCommand[] = [];
  let cwds: readonly string[] = [cwd];
  for (const words of simpleTexts(text) ?? []) {
    const command = toCommand(words, cwds);
    commands.push(command, ...unwrap(command));
    const [program, target] = command.words;
    if (program?.text === "cd" && target !== undefined) {
      cwds = target.literal ? [posix.resolve(cwds[0] ?? cwd, target.text)] : [];
    }
  }
  if (simpleTexts(text) === undefined) {
    return { certainty: "unreadable", commands: [], paths: [], isReadOnly: false, doubt: "a quote is open" };
  }
  const isProven = commands.every((one) => [...one.words, ...one.assignments].every((word) => word.literal));
  const [only] = commands;
  const isOne = isProven && commands.length === 1 && only !== undefined && only.redirects.length === 0;
  return {
    certainty: isProven && commands.every((one) => one.via.length === 0) ? "proven" : "read",
    commands,
    paths: commands.flatMap((one) => describe(one).paths),
    isReadOnly: isProven && commands.every((one) => describe(one).isReadOnly && !hasWrite(one)),
    ...(isOne ? { argv: only.words.map((word) => word.text) } : {}),
  };
}

function simpleTexts(text: string): readonly (readonly string[])[] | undefined {
  const lists: string[][] = [[]];
  PARTS.lastIndex = 0;
  while (text.slice(PARTS.lastIndex).trim() !== "") {
    const { groups } = PARTS.exec(text) ?? {};
    if (groups === undefined) return undefined;
    if (groups["end"] !== undefined) lists.push([]);
    else lists.at(-1)?.push(groups["word"] ?? groups["write"] ?? groups["read"] ?? "");
  }
  return lists.filter((list) => list.length > 0);
}

function toCommand(parts: readonly string[], cwds: readonly string[]): SimpleCommand {
  const words: Word[] = [];
  const assignments: Word[] = [];
  const redirects: Redirect[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? "";
    if (/^\d?[<>]/.test(part)) {
      at += 1;
      redirects.push({ access: part === "<" ? "read" : "write", target: toWord(parts[at] ?? "") });
    } else if (words.length === 0 && /^\w+=/.test(part)) assignments.push(toWord(part));
    else words.push(toWord(part));
  }
  return { words, assignments, redirects, cwds, via: [] };
}

function toWord(part: string): Word {
  const open = part.replaceAll(/'[^']*'/g, "");
  return { text: part.replaceAll(/['"]/g, ""), literal: !/[$`*?]/.test(open) };
}

function unwrap(command: SimpleCommand): readonly SimpleCommand[] {
  const [program, ...rest] = command.words;
  const base = program?.text.split("/").at(-1) ?? "";
  if (base === "env" || base === "sudo" || base === "xargs") {
    return [{ ...command, words: rest, redirects: [], via: [base] }];
  }
  if (base !== "bash" || rest[0]?.text !== "-c") return [];
  return readPlainly(rest[1]?.text ?? "", command.cwds[0] ?? "/").commands.map((one) => ({
    ...one,
    via: [base],
  }));
}

function hasWrite({ redirects }: SimpleCommand): boolean {
  return redirects.some(({ access }) => access === "write");
}

const describe: CommandKnowledge["describe"] = (command) => {
  const [first, ...args] = command.words;
  const name = first?.text ?? "";
  const program = name.split("/").at(-1);
  const options = args.map(({ text }) => text.split("=")[0] ?? "");
  const listedFlags = options.filter((text) => /^--outp|^-o$/.test(text));
  const isRead = READS.has(name === "git" ? `git ${args[0]?.text}` : name);
  return {
    program,
    isPlainName: name !== "" && !name.includes("/"),
    isReadOnly: isRead && listedFlags.length === 0 && command.assignments.length === 0,
    listedFlags,
    movingFlags: [],
    paths: pathsOf(command, name),
    ...(UNGRANTABLE.has(program ?? "") ? { ungrantable: `${program} can run anything` } : {}),
  };
};

const SUSPECTED = { suspected: true } as const;

function pathsOf({ words, redirects, cwds: [cwd] }: SimpleCommand, name: string): readonly PathWord[] {
  if (cwd === undefined) return [];
  const isSure = TAKES_FILES.has(name) || WRITES.has(name);
  const operands = words.slice(1).filter(({ text, literal }) => literal && !text.startsWith("-"));
  const named = operands.filter(({ text }) => isSure || (name !== "echo" && /^[/~]|\.env$/.test(text)));
  const access: PathWord["access"] = WRITES.has(name) ? "write" : "read";
  return [
    ...named.map(({ text }) => ({ text, cwd, access, ...(isSure ? {} : SUSPECTED) })),
    ...redirects.map(({ access: kind, target }) => ({ text: target.text, cwd, access: kind })),
  ];
}

const KNOWLEDGE: CommandKnowledge = {
  describe,
  knows: () => true,
  isRunner: (program) => UNGRANTABLE.has(program),
  runsCode: () => false,
  flags(_program, words) {
    const texts = words.map(({ text }) => text);
    const flags = texts
      .filter((text) => text.startsWith("-"))
      .flatMap((text) =>
        text.startsWith("--") ? [text] : Array.from(text.slice(1), (letter) => `-${letter}`),
      );
    const isValue = (index: number): boolean => TAKES_VALUE.has(texts[index - 1] ?? "");
    return {
      flags: new Set(flags.map((flag) => SYNONYMS[flag] ?? flag)),
      hasUnknown: false,
      operands: words.filter(({ text }, index) => !text.startsWith("-") && !isValue(index)),
    };
  },
  disaster(commands) {
    const words = commands.map((one) => one.words.map(({ text }) => text).join(" "));
    if (words.some((line) => line.startsWith("mkfs")))
      return { id: "disaster.mkfs", decision: "deny", reason: "it would wipe a disk" };
    if (words.some((line) => line.startsWith("shutdown")))
      return { id: "disaster.shutdown", decision: "ask", reason: "it would end everything" };
    return undefined;
  },
};

/** The command reader and program tables for tests. */
export const COMMANDS: Commands = {
  knowledge: KNOWLEDGE,
  read: ({ text, cwd }) => readPlainly(text, cwd),
};

/** Judges a job by these user rules. */
export function judgeBy(
  rules: readonly Rule[],
  job: Job,
  mode: Mode = "auto",
  circumstances: Circumstances = {},
): Verdict {
  const layers = [{ name: "user", rules, mayAllow: true }];
  const policy = createPolicy({ mode, workspace: [WORKSPACE], home: HOME, layers, commands: COMMANDS });
  return policy.judge(job, circumstances);
}

export function kindBy(...given: Parameters<typeof judgeBy>): Verdict["kind"] {
  return judgeBy(...given).kind;
}
