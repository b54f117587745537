import type { Content } from "../../../core/content.ts";
import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { runTyped, type TypedOptions } from "./typed.ts";
import { findReferences, type Reference } from "./reference.ts";

export { hasReferences } from "./reference.ts";

/** How deep the listing of an attached folder goes, so that it stays short. */
const FOLDER_DEPTH = 2;

/**
 * Reads what a text names: of a file all or the named lines, images as images, of a folder its listing. References to nothing are
 * `missing`, and stay text. Throws if one cannot be read.
 */
export async function attachFiles(text: string, options: TypedOptions) {
  const { found, missing } = await findReferences(text, options.session.info);
  const content: Content[] = [];
  for (const reference of found) content.push(...(await read(reference, options)));
  return { content, missing };
}

/** Reads a file that the person names outside of a text, such as an image. Throws if there is none or it cannot be read. */
export function attachFile(path: string, options: TypedOptions): Promise<readonly Content[]> {
  return read({ typed: path, path, isFolder: false }, options);
}

async function read(reference: Reference, options: TypedOptions): Promise<readonly Content[]> {
  const { typed, path, isFolder, lines } = reference;
  const [name, input] = isFolder ? listing(path) : (["read_file", fileInput(path, lines)] as const);
  const result = await runTyped(name, input, options);
  if (!result.ok)
    throw new ToolError(result.error.code, `@${typed} cannot be attached: ${result.error.message}`, {
      hint: result.error.hint ?? "send the message without it",
    });
  const [first, ...rest] = result.content;
  if (first?.type !== "text" || rest.length > 0) return result.content;
  return [{ type: "text", text: `${isFolder ? "Folder" : "File"} ${typed}\n${first.text}` }];
}

function fileInput(path: string, lines: Reference["lines"]): JsonObject {
  if (lines === undefined) return { path };
  return { path, start_line: lines.first, limit: lines.last - lines.first + 1 };
}

function listing(path: string): readonly [string, JsonObject] {
  return ["ls", { path, recursive: true, max_depth: FOLDER_DEPTH }];
}
