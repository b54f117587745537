import type { Content, Reply } from "../../core/content.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { SHOWN_TEXT_BYTES, MAX_TEXT_BYTES } from "../../tools/shared/answer-limits.ts";
import { editFile, EDITING } from "../../tools/files/edit/edit-file.ts";
import { writeFile } from "../../tools/files/edit/write-file.ts";
import { readFile } from "../../tools/files/read/read-file.ts";
import { textOf } from "../../util/text/text-of.ts";
import type { Program } from "./program.ts";

const parameters = { path: "The file, relative to the current folder or absolute" };

/** Runs `read_file`. */
export const fileRead: Program = {
  name: "file_read",
  description:
    `Reads a file. Text has line numbers. Of a text over ${MAX_TEXT_BYTES / 1024} KB, it returns the first ` +
    `${SHOWN_TEXT_BYTES / 1024} KB and the start_line to continue at. Detects UTF-8, UTF-16, Latin-1 and Windows-1252. ` +
    "Returns the text of a PDF page by page, and images as base64. Refuses other binary files, folders and devices.",
  parameters,
  returns: {
    content: { type: "string", description: "The lines with their numbers" },
    path: { type: "string" },
    start_line: { type: "integer" },
    lines: { type: "integer", description: "Number of lines returned" },
    total_lines: { type: "integer", description: "Absent if the end was not reached" },
    encoding: { type: "string" },
    mime_type: { type: "string", description: "Of an image, or of a PDF without text" },
    data: { type: "string", description: "The image or PDF as base64" },
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

/** Runs `write_file`. Without a session it does not know which files the caller has read, and replaces any file. */
export const fileWrite: Program = {
  name: "file_write",
  description:
    "Writes a whole file: creates it and missing folders, or replaces its content. " +
    "The change is atomic and preserves the mode of the file. To change a part of a file use file_edit.",
  parameters,
  returns: {
    path: { type: "string" },
    bytes: { type: "integer" },
    created: { type: "boolean", description: "False if a file was replaced" },
  },
  example: { path: "notes.txt", content: "first line\n" },
  createTool: writeFile,
  toResult: ({ data }) => (isObject(data) ? data : {}),
};

/** Runs `edit_file`. */
export const fileEdit: Program = {
  name: "file_edit",
  description: `Replaces text in a file: pass old_string and new_string, or a list of edits. ${EDITING}`,
  parameters,
  returns: {
    path: { type: "string" },
    replacements: { type: "integer" },
    diff: { type: "string", description: "Unified diff" },
    tolerated: { type: "array", description: "Differences ignored to find old_string", items: {} },
  },
  example: { path: "notes.txt", old_string: "first", new_string: "1st" },
  createTool: editFile,
  toResult: ({ data }) => (isObject(data) ? data : {}),
  codeOf({ details = {} }) {
    if (Object.hasOwn(details, "candidates")) return "NOT_FOUND";
    return Object.hasOwn(details, "count") ? "NOT_UNIQUE" : undefined;
  },
};
