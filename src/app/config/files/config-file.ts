import { dirname } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { readDocument } from "../../../system/files/read-document.ts";
import { createFileOperations } from "../../../system/files/operations.ts";
import { replaceFiles } from "../../../system/files/replace.ts";
import { resolveTarget } from "../../../system/paths/paths.ts";
import { editJsonc, parseJsonc } from "./jsonc.ts";
import { defined } from "../../../util/json/defined.ts";

const MAX_BYTES = 1024 * 1024;

/**
 * Returns the object in a config file, or undefined if there is no such file. Throws, naming file and place, on anything else. A file of
 * a project must be in its folder, also if it is a link.
 */
export function readConfigFile(file: string, folder?: string): JsonObject | undefined {
  const text = readText(file, folder);
  return text === undefined ? undefined : parseSettings(text, file);
}

function parseSettings(text: string, file: string): JsonObject {
  const parsed = parseJsonc(text, file);
  if (isObject(parsed)) return parsed;
  throw new ToolError("INVALID_INPUT", `${file}: the settings must be one JSON object`);
}

/** The value at a path of a config file; undefined removes it. */
export interface ConfigEdit {
  readonly path: readonly (string | number)[];
  readonly value: Json | undefined;
}

export interface ConfigEditOptions {
  /** Processes with the same one wait for each other. */
  readonly changesFolder: string;
  /** The project's folder; if it is given, the file must be inside. */
  readonly folder?: string | undefined;
}

/**
 * Sets or removes a value in a config file, and keeps comments. `decide` gets what is in the file, which no other process changes before
 * the value is written; if it throws, nothing is written. A new file is readable by its owner only, since it may hold tokens. Throws if the old
 * one is not valid.
 */
export async function editConfigFile(
  file: string,
  { changesFolder, folder }: ConfigEditOptions,
  decide: (written: JsonObject) => ConfigEdit | Promise<ConfigEdit>,
): Promise<void> {
  const operations = createFileOperations(changesFolder);
  const where = { cwd: dirname(file), access: "write" } as const;
  const { path: locked } = await resolveTarget(file, where);
  await operations.exclusively([locked], async () => {
    const text = readText(file, folder);
    const { path, value } = await decide(parseSettings(text || "{}", file));
    const content = editJsonc(text ?? "", file, path, value);
    const fact = await resolveTarget(file, where);
    const ended = content.endsWith("\n") ? content : `${content}\n`;
    const change = { fact, content: ended, ...(text === undefined && { mode: 0o600 }) };
    await replaceFiles([change], { operations, isExclusive: true });
  });
}

function readText(file: string, folder?: string): string | undefined {
  return readDocument(file, { maxBytes: MAX_BYTES, ...defined({ folder }) })?.toString("utf8");
}
