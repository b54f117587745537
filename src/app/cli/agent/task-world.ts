import { readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { attempt } from "../../../util/async/attempt.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import type { McpSettings } from "../../config/groups.ts";
import { textFlag } from "../../terminal/input/check-arguments.ts";
import type { Arguments, Flags, World } from "../../terminal/input/command.ts";
import { parseJson } from "../../terminal/input/read-input.ts";

/** The flags that say where an agent works and what it gets besides the config. */
export const PLACE_FLAGS = {
  cd: { summary: "folder to work in; default: the current one", value: "FOLDER", short: "C" },
  "add-dir": { summary: "another folder that tools may touch", value: "FOLDER", isRepeatable: true },
  "append-system-prompt": { summary: "text for the end of the system prompt", value: "TEXT" },
  "mcp-config": {
    summary: "MCP servers for this run: a file with mcpServers, or the JSON itself",
    value: "FILE",
    isRepeatable: true,
  },
} as const satisfies Flags;

/** Returns the world in the folders that the flags name. Throws if one does not exist. */
export function worldOf(given: Arguments, world: World): World {
  const cd = textFlag(given, "cd");
  const added = given.repeated?.["add-dir"] ?? [];
  if (cd === undefined && added.length === 0) return world;
  const before = world.environment();
  const cwd = cd === undefined ? before.cwd : folderOf("--cd", cd, before.cwd);
  const roots = added.map((folder) => folderOf("--add-dir", folder, before.cwd));
  return { ...world, environment: () => ({ ...before, cwd, roots: [...(before.roots ?? []), ...roots] }) };
}

function folderOf(flag: string, given: string, cwd: string): string {
  const path = attempt(() => realpathSync(resolve(cwd, given)));
  if (path === undefined)
    throw new ToolError("INVALID_INPUT", `${flag}: ${JSON.stringify(given)} does not exist`, {
      hint: "name a folder",
    });
  if (statSync(path).isDirectory()) return path;
  throw new ToolError("INVALID_INPUT", `${flag}: ${JSON.stringify(given)} is not a folder`, {
    hint: "name the folder that it is in",
  });
}

/** Reads the servers of `--mcp-config`; undefined without the flag. Each server is checked when it starts, as those of the config. */
export function readMcpServers(
  { repeated }: Pick<Arguments, "repeated">,
  folder: string,
): McpSettings["servers"] | undefined {
  const options = repeated?.["mcp-config"];
  if (options === undefined) return undefined;
  return Object.assign({}, ...options.map((one) => serversIn(one, folder))) as McpSettings["servers"];
}

function serversIn(given: string, folder: string): McpSettings["servers"] {
  const isInline = given.trimStart().startsWith("{");
  const read = parseJson(isInline ? given : readText(given, folder), isInline ? "the JSON" : given);
  if ("unreadable" in read) throw new ToolError("INVALID_INPUT", `--mcp-config: ${read.unreadable}`);
  const servers = isObject(read.input) ? (read.input["mcpServers"] ?? read.input) : undefined;
  if (isObject(servers) && Object.values(servers).every(isObject))
    return servers as Readonly<Record<string, JsonObject>>;
  throw new ToolError("INVALID_INPUT", "--mcp-config: there are no servers in it", {
    hint: 'expected {"mcpServers": {"NAME": {"command": "…", "args": ["…"]}}}',
  });
}

function readText(file: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, file), "utf8");
  } catch (error) {
    throw new ToolError("INVALID_INPUT", `--mcp-config: cannot read ${file}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}
