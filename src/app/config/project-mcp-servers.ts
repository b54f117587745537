import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { readConfigFile } from "./files/config-file.ts";

/** An MCP server of a project. */
export interface ProjectMcpServer {
  readonly name: string;
  readonly written: Json;
  /** The file that it is written in. */
  readonly file: string;
}

/**
 * Returns the servers in a project's settings, then those in its `.mcp.json`; of two with one name the first. An invalid `.mcp.json`
 * has none: collecting what needs trust reports it.
 */
export function readProjectServers(
  folder: string,
  settings: JsonObject,
  settingsFile: string,
): readonly ProjectMcpServer[] {
  const own = serversIn(settings, settingsFile);
  const names = new Set(own.map(({ name }) => name));
  const file = join(folder, ".mcp.json");
  return [...own, ...serversIn(readIfValid(file, folder), file).filter(({ name }) => !names.has(name))];
}

function readIfValid(file: string, folder: string): JsonObject {
  try {
    return readConfigFile(file, folder) ?? {};
  } catch (error) {
    if (error instanceof ToolError) return {};
    throw error;
  }
}

function serversIn({ mcpServers = {} }: JsonObject, file: string): readonly ProjectMcpServer[] {
  if (!isObject(mcpServers)) return [];
  return Object.entries(mcpServers).map(([name, written]) => ({ name, written, file }));
}
