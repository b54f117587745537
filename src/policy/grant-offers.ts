import type { GrantOffer } from "../core/grant.ts";
import { isWithin } from "../util/text/paths/is-within.ts";
import { escapePattern } from "../util/text/name-pattern.ts";
import type { CommandPart } from "./match/command-part.ts";
import type { CommandView } from "./match/command-view.ts";
import { isFileEdit, type Subject } from "./match/subject.ts";

/**
 * Returns rules that are wider than the narrowest grant and that a person may choose: a file tool in the folder of its files, or
 * in the workspace for the session; a command that runs code of files or packages, in its folder, with a warning.
 */
export function grantOffers(subject: Subject, workspace: readonly string[]): readonly GrantOffer[] {
  if (subject.commands.length > 0) return commandOffers(subject, workspace);
  return isFileEdit(subject, workspace) ? folderOffers(subject, workspace) : [];
}

function folderOffers({ job, paths }: Subject, workspace: readonly string[]): readonly GrantOffer[] {
  if (!paths.every(({ access }) => access === "write")) return [];
  const tool = job.tool.name;
  const warning = job.tool.riskOf === undefined ? {} : { warning: "it covers deleting files there too" };
  const inFolders = (folders: readonly string[]): GrantOffer["rule"] => {
    const [path, ...more] = folders.map((folder) => `${escapePattern(folder).replace(/\/$/, "")}/**`);
    return {
      tool,
      path: more.length === 0 ? (path ?? "") : [path ?? "", ...more],
      access: "write",
      decision: "allow",
    };
  };
  const folder = commonFolder(paths.map(({ path }) => path));
  const isBelow = workspace.some((one) => folder !== one && isWithin(folder, one));
  const always: readonly GrantOffer[] = isBelow
    ? [
        {
          scope: "always",
          label: `${tool} in ${folderName(folder, workspace)}`,
          rule: inFolders([folder]),
          ...warning,
        },
      ]
    : [];
  const label = `${tool} in the workspace`;
  return [...always, { scope: "session", label, rule: inFolders(workspace), ...warning }];
}

/** Returns a folder as people name it: `src/` in the only folder of the workspace, else its whole path, which tells two folders apart. */
function folderName(folder: string, workspace: readonly string[]): string {
  const [root] = workspace;
  if (root === undefined || workspace.length > 1 || !isWithin(folder, root)) return folder;
  return folder === root ? "this folder" : `${folder.slice(root.length).replace(/^\//, "")}/`;
}

/** Returns the folder that contains all of the files. */
function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split("/").slice(0, -1));
  const end = first.findIndex((name, index) => others.some((names) => names[index] !== name));
  return (end < 0 ? first : first.slice(0, end)).join("/") || "/";
}

/** `npm test`, `npm run NAME` and the same of pnpm: these run only scripts of the project. `yarn run NAME` runs any program. */
const NAMED_SCRIPT =
  /^(?:(?:npm|pnpm|yarn) (?:test|t|start)|(?:npm|pnpm) (?:run|run-script) [A-Za-z0-9][\w:.-]*)$/;

/** Returns true if these tokens start one named script of the project, whose commands the files of the project decide. */
export function isNamedScript(tokens: readonly string[]): boolean {
  return tokens.every((token) => !/\s/.test(token)) && NAMED_SCRIPT.test(tokens.join(" "));
}

/** The warning about a rule for a named script. */
export const SCRIPT_WARNING = "the files of the project decide what it runs, also after they are changed";

/** Returns what covers the command where the narrowest grant does not, and its first words with any others; none for what acts with other privileges. */
function commandOffers(
  { job, commands, paths, hosts, isMcp }: Subject,
  workspace: readonly string[],
): readonly GrantOffer[] {
  const [command] = commands;
  if (command?.certainty !== "proven" || commands.length > 1 || hosts.length > 0 || isMcp) return [];
  const [part, ...more] = command.parts;
  if (part === undefined || !command.parts.every(isPlain)) return [];
  const tool = job.tool.name;
  const { ungrantable, isPlainName } = part.traits ?? {};
  const isRuled = more.length === 0 && ungrantable === undefined && isPlainName === true;
  const mayExtend =
    more.length === 0 && paths.every(({ access, isSuspected }) => access === "read" || isSuspected);
  return [
    ...(isRuled ? [] : [wholeOffer(tool, command, workspace)]),
    ...(mayExtend ? prefixOffers(tool, part, workspace) : []),
  ];
}

/** Returns a rule for each program that the command starts, with exactly its words and in its folder. */
function wholeOffer(tool: string, { parts, fact }: CommandView, workspace: readonly string[]): GrantOffer {
  const [rule = ANY, ...more] = parts.map(({ command: { words, cwds } }) => ({
    tool,
    command: words.map(({ text }) => text),
    exact: true,
    folder: cwds[0] ?? fact.cwd,
    decision: "allow" as const,
  }));
  const whole = `\`${fact.text}\` in ${folderName(fact.cwd, workspace)}`;
  return {
    scope: "always",
    label: isOneCommand(parts) ? whole : `each command of ${whole}`,
    rule,
    ...(more.length > 0 && { more }),
    warning: warningOf(parts),
  };
}

/** Allows nothing: there is always a first rule. */
const ANY = { command: ["\0"], decision: "allow" } as const;

function prefixOffers(tool: string, part: CommandPart, workspace: readonly string[]): readonly GrantOffer[] {
  const command = prefixOf(part);
  const [folder] = part.command.cwds;
  if (command === undefined || folder === undefined) return [];
  return [
    {
      scope: "always",
      label: `\`${command.join(" ")} …\` in ${folderName(folder, workspace)}`,
      rule: { tool, command, folder, decision: "allow" },
      warning: "with any further arguments",
    },
  ];
}

/** Returns true for a single command, which may start others: `npx tsc`. */
function isOneCommand(parts: readonly CommandPart[]): boolean {
  return parts.slice(1).every(({ command }) => command.via.length > 0);
}

/** Returns true for a command that a rule in its folder can describe: it only has words. */
function isPlain({ command, traits, isOpen }: CommandPart): boolean {
  const { words, assignments, redirects, cwds } = command;
  if (isOpen) return false;
  const isBare = words.length > 0 && assignments.length + redirects.length === 0 && cwds.length === 1;
  return isBare && traits?.isPrivileged !== true && !isLoneRunner(command.words.map(({ text }) => text));
}

/** `npm run` and `node` alone: what they would run is not said. */
function isLoneRunner(tokens: readonly string[]): boolean {
  return (
    tokens.length === 1 &&
    /^(?:node|python[\d.]*|bash|sh|npx|npm|pnpm|yarn|ruby|perl|php|deno|bun)$/.test(tokens[0] ?? "")
  );
}

function tokensOf({ command }: CommandPart): readonly string[] {
  return command.words.map(({ text }) => text);
}

/** Returns the first words of a command that builds or tests: `pytest`, `cargo test`; undefined for other programs, and without further words. */
function prefixOf(part: CommandPart): readonly string[] | undefined {
  const { traits, isKnown, isRunner } = part;
  if (traits?.isPlainName !== true || (isKnown && !isRunner) || part.readsCode) return undefined;
  const tokens = tokensOf(part);
  const [program = "", second = ""] = tokens;
  const isSubcommand = /^[a-z][a-z-]*$/.test(second);
  if (isRunner && !BUILDS.test(second)) return undefined;
  const prefix = isSubcommand ? [program, second] : [program];
  return prefix.length < tokens.length ? prefix : undefined;
}

const BUILDS = /^(?:test|build|check|lint|clippy|fmt|vet|bench)$/;

function warningOf(parts: readonly CommandPart[]): string {
  const [part] = parts;
  if (parts.length === 1 && part !== undefined && isNamedScript(tokensOf(part))) return SCRIPT_WARNING;
  const risky = parts.find(({ traits }) => traits?.ungrantable !== undefined)?.traits?.ungrantable;
  if (isOneCommand(parts)) return risky ?? "its program is a file, which may change";
  return `each of them then runs by itself too${risky === undefined ? "" : `, and ${risky}`}`;
}
