import type { CommandReading, SimpleCommand } from "../core/command.ts";
import { isRunner, findProgram } from "./programs/find-program.ts";
import { parseCommand } from "./programs/parse-command.ts";

/**
 * Returns true for a command that is worth trying in a read-only sandbox: it may only read. Not one that certainly writes, reaches the
 * network or ends a process: it would fail there, and a person has to be asked anyway.
 */
export function mayBeTried({ commands, paths, certainty }: CommandReading): boolean {
  if (certainty === "unreadable" || commands.length === 0) return false;
  if (paths.some(({ access, suspected }) => access === "write" && suspected !== true)) return false;
  return commands.every((command) => !actsForSure(command));
}

function actsForSure(command: SimpleCommand): boolean {
  const { name, program, use } = parseCommand(command);
  const [, first = ""] = command.words.map(({ text }) => text);
  if (name === "" || program === undefined) return false;
  if (INSTALLERS.test(name) && DOWNLOADS.test(first)) return true;
  if (isRunner(name)) return CONTAINERS.test(name);
  const { usage } = use;
  return (
    usage.readOnly !== true &&
    usage.readsInBox !== true &&
    usage.starts === undefined &&
    findProgram(name) === program
  );
}

const INSTALLERS =
  /^(?:npm|pnpm|cnpm|yarn|bun|deno|pip|pip3|pipx|uv|poetry|cargo|go|gem|bundle|bundler|composer|mvn|gradle|dotnet)$/;
const DOWNLOADS =
  /^(?:install|i|ci|add|remove|uninstall|update|upgrade|publish|outdated|view|info|audit|create|init|login|link|sync|fetch|get|mod|restore)$/;
const CONTAINERS = /^(?:docker|podman|nerdctl|kubectl|docker-compose|podman-compose)$/;
