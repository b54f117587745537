import { resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json } from "../../../core/json.ts";
import { readDocument } from "../../../system/files/read-document.ts";
import type { ConfigProblem } from "./written-server.ts";
import { defined } from "../../../util/json/defined.ts";

/** The file of variables that a server's entry names, as it was read. */
export interface EnvFile {
  readonly path: string;
  /** Its content, or why there is none. */
  readonly content: string | ConfigProblem;
}

export interface EnvFilePlaces {
  /** The folder that a relative path, and `${workspaceFolder}`, stand for. */
  readonly root: string;
  readonly userHome: string;
  /** True: the file must be in the root. */
  readonly isProject: boolean;
}

const MAX_BYTES = 1024 * 1024;

/** Reads the file that `envFile` of an entry names; undefined if it names none. Never throws. */
export function readEnvFile(server: Json, places: EnvFilePlaces): EnvFile | undefined {
  const name = isObject(server) ? server["envFile"] : undefined;
  if (typeof name !== "string" || name === "") return undefined;
  const { root, userHome, isProject } = places;
  const expanded = name.replaceAll("${workspaceFolder}", root).replace(/^~(?=\/)|^\$\{userHome\}/, userHome);
  const path = resolve(root, expanded);
  const refused = (why: string, hint?: string): EnvFile => ({
    path,
    content: { problem: `its envFile ${why}`, ...defined({ hint }) },
  });
  if (expanded.includes("${")) return refused(`${name} may contain no variable but \${workspaceFolder}`);
  try {
    const bytes = readDocument(path, { maxBytes: MAX_BYTES, ...(isProject && { folder: root }) });
    if (bytes === undefined) return refused(`${path} does not exist`, "create it, or remove envFile");
    return { path, content: bytes.toString("utf8") };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return refused(error.message, error.hint);
  }
}

/** Returns what the trust of a project's server covers: its entry, and the content of its file of variables. */
export function trustedContent(server: Json, envFile: EnvFile | undefined): Json {
  if (envFile === undefined) return server;
  return { server, envFile: typeof envFile.content === "string" ? envFile.content : null };
}
