import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { fileFault } from "../../system/paths/file-fault.ts";
import { replaceFiles } from "../../system/files/replace.ts";
import { resolveTarget } from "../../system/paths/paths.ts";

const MAX_NAME_CHARACTERS = 60;
/** Only the owner can read a report: it describes how to attack the target. */
const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const;

export interface ReportFiles {
  readonly markdown: string;
  readonly json: string;
}

export interface Report {
  /** The file name without extension. */
  readonly name: string;
  readonly markdown: string;
  readonly json: Json;
}

/** Writes a report as Markdown and JSON, both or none, replacing an older one. Returns the paths. */
export async function writeReport(folder: string, { name, markdown, json }: Report): Promise<ReportFiles> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder }).catch((error: unknown) => {
    throw fileFault(error, "make the folder", folder);
  });
  const change = async (ending: string, content: string) => ({
    fact: await resolveTarget(join(folder, `${name}.${ending}`), { cwd: folder, access: "write" }),
    content,
    mode: OWNER_ONLY.file,
  });
  const text = await change("md", markdown);
  const data = await change("json", `${JSON.stringify(json, null, 2)}\n`);
  await replaceFiles([text, data]);
  return { markdown: text.fact.path, json: data.fact.path };
}

/** Returns a file name of letters, digits and dashes. */
export function toFileName(text: string): string {
  const name = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-");
  return name.replace(/^-+/, "").slice(0, MAX_NAME_CHARACTERS).replace(/-+$/, "") || "untitled";
}

/** Returns the folder of reports; throws if none is set. */
export function reportsFolderOf(folder: string | undefined): string {
  if (folder !== undefined) return folder;
  throw new ToolError("MISSING_CONTEXT", "no folder for reports is set", {
    hint: "set one: reportTools({ root, reportsFolder })",
  });
}
