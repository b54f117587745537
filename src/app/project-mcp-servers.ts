import { join } from "node:path";
import { ToolError } from "../core/errors.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { isObject } from "../core/json.ts";
import { readConfigFile } from "./config-file.ts";

/** An MCP server that came with a folder. */
export interface ProjectMcpServer {
  readonly name: string;
  readonly written: Json;
  /** The file that it stands in. */
  readonly file: string;
}

export interface ProjectMcpServers {
  readonly servers: readonly ProjectMcpServer[];
  /** What could not be read: one line each. */
  readonly warnings: readonly string[];
}

/** The servers in a project's settings, then those in its `.mcp.json`; of two with one name the first. A file of others is no error of ours. */
export function readProjectServers(
  folder: string,
  settings: JsonObject,
  settingsFile: string,
): ProjectMcpServers {
  const file = join(folder, ".mcp.json");
  const shared = read(file);
  const own = serversIn(settings, settingsFile);
  const names = new Set(own.map(({ name }) => name));
  const others = serversIn(shared.values, file).filter(({ name }) => !names.has(name));
  return { servers: [...own, ...others], warnings: shared.warnings };
}

function read(file: string): { readonly values: JsonObject; readonly warnings: readonly string[] } {
  try {
    return { values: readConfigFile(file) ?? {}, warnings: [] };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { values: {}, warnings: [`${error.message}; its MCP servers are not used`] };
  }
}

function serversIn({ mcpServers = {} }: JsonObject, file: string): readonly ProjectMcpServer[] {
  if (!isObject(mcpServers)) return [];
  return Object.entries(mcpServers).map(([name, written]) => ({ name, written, file }));
}
