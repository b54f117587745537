import type { Content, Reply } from "../../core/content.ts";
import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import { SHOWN_TEXT_BYTES, MAX_TEXT_BYTES } from "../../tools/shared/answer-limits.ts";
import { readFile } from "../../tools/files/read/read-file.ts";
import type { Program } from "./program.ts";
import { textOf } from "../../util/text/text-of.ts";

/** `read_file`. */
export const program: Program = {
  name: "file_read",
  description:
    "Reads a file. Text comes with line numbers; of more than " +
    `${MAX_TEXT_BYTES / 1024} KB the first ${SHOWN_TEXT_BYTES / 1024} KB come, and the content says which start_line goes on. ` +
    "UTF-8, UTF-16, Latin-1 and Windows-1252 are told apart. Of a PDF the text comes page by page. Images come as base64. " +
    "Other binary files, folders and devices are refused.",
  parameters: { path: "The file, relative to the current folder or absolute" },
  returns: {
    content: { type: "string", description: "The lines with their numbers" },
    path: { type: "string" },
    start_line: { type: "integer" },
    lines: { type: "integer", description: "How many came" },
    total_lines: { type: "integer", description: "Absent where the end was not reached" },
    encoding: { type: "string" },
    mime_type: { type: "string", description: "Of an image, or a PDF without text" },
    data: { type: "string", description: "The same in base64" },
  },
  example: { path: "README.md" },
  createTool: readFile,
  toResult: (reply) => ({
    content: textOf(reply.content, ""),
    ...(isObject(reply.data) && reply.data),
    ...mediaOf(reply),
  }),
};

function mediaOf({ content }: Reply): JsonObject {
  const media = content.find((part): part is Exclude<Content, { type: "text" }> => part.type !== "text");
  return media === undefined ? {} : { mime_type: media.mimeType, data: media.data };
}
