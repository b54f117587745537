import { hostsIn } from "../match/hosts-in.ts";
import type { Subject } from "../match/subject.ts";
import { networkProgram } from "./ways-out.ts";

/** Returns the origin of the text from outside that the answer of a call will have, as text for people; undefined if it will have none. */
export function originOfText({ job, paths, commands, hosts }: Subject): string | undefined {
  const { name, isUntrusted, repeatsSession, source } = job.tool;
  if (isUntrusted === true && repeatsSession !== true) {
    const [host] = hosts;
    if (host !== undefined) return `text from ${host} (${name})`;
    return source.startsWith("mcp:")
      ? `text from the MCP server ${source.slice(4)}`
      : `text from outside (${name})`;
  }
  for (const view of commands) {
    const program = networkProgram(view);
    if (program === undefined) continue;
    const places = view.parts.some(({ usesNetwork }) => usesNetwork) ? "arguments" : "urls";
    const host = hostsIn([view.fact.text], places).find(({ name }) => name?.includes("."))?.name;
    return `what ${program} received${host === undefined ? "" : ` from ${host}`}`;
  }
  const file = paths.find(
    (view) => view.access === "read" && PACKAGES.test(view.path) && (view.isFile || commands.length > 0),
  );
  return file === undefined ? undefined : `text of ${file.path}`;
}

/** Folders with files of packages, which others wrote. */
const PACKAGES = /\/(?:node_modules|site-packages)\/./;
