import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { isServerName } from "../../../sources/mcp/tools/names.ts";
import { readDocument } from "../../../system/files/read-document.ts";
import { defined } from "../../../util/json/defined.ts";
import { parseJsonc } from "../../config/files/jsonc.ts";
import type { Client } from "../../gateway/install/clients.ts";
import { NAME } from "./install.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** A server in the config of a client, in the form of ours. */
export interface FoundServer {
  /** Its name there. */
  readonly name: string;
  /** The name it gets here: one that tool names can have. */
  readonly ownName: string;
  readonly written: JsonObject;
  /** The folder in which the client uses it; undefined: in all. */
  readonly folder?: string;
}

/** Returns the servers of a client's file, those of single folders first, without the gateway itself. Throws if the file cannot be read. */
export async function serversIn(
  { format, key, projectsKey = "", title }: Client,
  file: string,
): Promise<readonly FoundServer[]> {
  const text = readDocument(file, { maxBytes: MAX_BYTES })?.toString("utf8");
  if (text === undefined) throw new ToolError("INVALID_INPUT", `${title} has no file ${file}`);
  const whole = await parseSettings(format, text, file);
  const projects = isObject(whole) && isObject(whole[projectsKey]) ? Object.entries(whole[projectsKey]) : [];
  return [
    ...projects.flatMap(([folder, project]) => entriesOf(project, key).map((one) => ({ ...one, folder }))),
    ...entriesOf(whole, key),
  ];
}

function entriesOf(settings: Json, key: string): readonly FoundServer[] {
  const servers = isObject(settings) && isObject(settings[key]) ? Object.entries(settings[key]) : [];
  return servers.flatMap(([name, entry]) => {
    const ownEntry = name !== NAME && isObject(entry) ? toWritten(entry) : undefined;
    return ownEntry === undefined ? [] : [{ name, ownName: ownNameOf(name), written: ownEntry }];
  });
}

export async function parseSettings(format: Client["format"], text: string, file: string): Promise<Json> {
  if (format === "json") return text.trim() === "" ? {} : parseJsonc(text, file);
  const { parse } = await import("smol-toml");
  try {
    return parse(text) as Json;
  } catch (error) {
    throw new ToolError("INVALID_INPUT", `${file} is not TOML: ${errorMessage(error)}`, { cause: error });
  }
}

/** Returns an entry of any client in the form of ours; undefined if it is none, such as a setting of an extension. */
function toWritten(entry: JsonObject): JsonObject | undefined {
  const { enabled, disabled } = entry;
  const url = entry["url"] ?? entry["httpUrl"] ?? entry["serverUrl"];
  const ownEntry = typeof url === "string" ? remoteEntry(url, entry) : programEntry(entry);
  const isOff = disabled === true || enabled === false;
  return ownEntry !== undefined && isOff ? { ...ownEntry, disabled: true } : ownEntry;
}

function remoteEntry(url: string, entry: JsonObject): JsonObject {
  const { bearer_token_env_var: variable, headers, http_headers: httpHeaders, type } = entry;
  const bearer = typeof variable === "string" ? { Authorization: `Bearer \${${variable}}` } : undefined;
  return { url, ...(type === "sse" && { type }), ...defined({ headers: headers ?? httpHeaders ?? bearer }) };
}

/** opencode has one list, older versions of Zed an object. */
function programEntry(entry: JsonObject): JsonObject | undefined {
  const { command: program, environment, cwd } = entry;
  const source: JsonObject = isObject(program) ? { ...program, command: program["path"] ?? "" } : entry;
  const [command, ...args] = [source["command"] ?? null, source["args"] ?? []].flat();
  if (typeof command !== "string" || command === "") return undefined;
  const env = source["env"] ?? environment;
  return { command, ...(args.length > 0 && { args }), ...defined({ env, cwd }) };
}

function ownNameOf(name: string): string {
  if (isServerName(name)) return name;
  return (
    name
      .replaceAll(/[^A-Za-z0-9_.-]+/g, "-")
      .replaceAll(/^[^A-Za-z0-9]+|-+$/g, "")
      .slice(0, 48) || "server"
  );
}
