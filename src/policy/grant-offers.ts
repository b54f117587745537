import type { GrantOffer } from "../core/grant.ts";
import { isWithin } from "../util/text/paths/is-within.ts";
import { escapePattern } from "../util/text/name-pattern.ts";
import { isFileEdit, type Subject } from "./match/subject.ts";

/**
 * Returns rules that are wider than the narrowest grant and that a person may choose: a file tool in the folder of its files, or
 * in the workspace for the session; a named script of the project in its folder. Never an interpreter, `npx` or `npm run` alone.
 */
export function grantOffers(subject: Subject, workspace: readonly string[]): readonly GrantOffer[] {
  if (subject.commands.length > 0) return scriptOffers(subject);
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
  const root = workspace.find((one) => folder !== one && isWithin(folder, one));
  const always: readonly GrantOffer[] =
    root === undefined
      ? []
      : [
          {
            scope: "always",
            label: `${tool} in ${folder.slice(root.length).replace(/^\//, "")}/`,
            rule: inFolders([folder]),
            ...warning,
          },
        ];
  const label = `${tool} in the workspace`;
  return [...always, { scope: "session", label, rule: inFolders(workspace), ...warning }];
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

function scriptOffers({ job, commands, paths, hosts, isMcp }: Subject): readonly GrantOffer[] {
  const [command, ...others] = commands;
  const [part, ...more] = command?.parts ?? [];
  if (command === undefined || part === undefined || others.length + more.length > 0) return [];
  if (
    command.certainty !== "proven" ||
    paths.some(({ access }) => access === "write") ||
    hosts.length > 0 ||
    isMcp
  )
    return [];
  const { words, assignments, redirects, via, cwds } = part.command;
  const folder = command.fact.cwd;
  const isPlain = assignments.length + redirects.length + via.length === 0;
  const tokens = words.map(({ text }) => text);
  if (!isPlain || cwds.some((cwd) => cwd !== folder) || !isNamedScript(tokens)) return [];
  return [
    {
      scope: "always",
      label: `\`${tokens.join(" ")}\` in ${folder}`,
      rule: { tool: job.tool.name, command: tokens, exact: true, folder, decision: "allow" },
      warning: SCRIPT_WARNING,
    },
  ];
}
