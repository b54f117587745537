import { builtIn, READS, namedAs } from "../../shared/built-in-tool.ts";
import { constants } from "node:fs";
import { image, Reply } from "../../../core/content.ts";
import { integer, object, oneOf, optional, string } from "../../../schema/define/schema.ts";
import { FindSecretsKey } from "../../../core/session/find-secrets.ts";
import type { Tool } from "../../../core/tool.ts";
import { openTarget, type OpenFile } from "../../../system/files/files.ts";
import { imageTypeOf, isBinary, isPdf, readStart } from "../../../system/files/kind.ts";
import { existed } from "../../../system/paths/paths.ts";
import { SHOWN_TEXT_BYTES, MAX_TEXT_BYTES } from "../../shared/answer-limits.ts";
import { targetOptions, pathFactOf, displayPath, resolveGiven } from "../../shared/facts.ts";
import { fileAccessOf } from "../shared/file-access.ts";
import type { FilesOptions } from "../shared/options.ts";
import { missingFile } from "../shared/missing-file.ts";
import { MAX_PDF_HANDED_ON_MB, MAX_PDF_MB, MAX_PDF_PAGES, readPdf } from "./pdf.ts";
import { atStartLine, refusal, MAX_LINE, readText, type TextRange } from "./text.ts";

const MAX_IMAGE_MB = 5;

const input = object({
  path: string("The file, relative to the workspace or absolute", { min: 1 }),
  start_line: optional(integer("The first line to read, from 1; of a PDF the first page", { min: 1 }), 1),
  limit: optional(
    integer("The maximum number of lines, of a PDF pages; default: as many as can be shown", { min: 1 }),
  ),
});

/** The data of one file. */
export const FILE_DATA = oneOf([
  object({
    path: string(),
    start_line: integer(),
    lines: integer(),
    total_lines: optional(integer()),
    encoding: string(),
  }),
  object({ path: string(), mime_type: string(), bytes: integer(), total_pages: optional(integer()) }),
  object({ path: string(), start_page: integer(), pages: integer(), total_pages: integer() }),
]);

export const READ_FILE = namedAs("read_file", input, FILE_DATA);

/** Reads a text file with line numbers, or shows an image. `continueAt` is for a tool that reads with other parameters. */
export function readFile(options: FilesOptions, continueAt = atStartLine): Tool {
  const { root } = options;
  return builtIn({
    ...READ_FILE,
    aliases: ["file_read"],
    description:
      "Reads a file. Text has line numbers; of a text over " +
      `${MAX_TEXT_BYTES / 1024} KB the first ${SHOWN_TEXT_BYTES / 1024} KB are shown, with the start_line to continue. ` +
      `Lines over ${MAX_LINE} characters are cut. UTF-8, UTF-16, Latin-1 and Windows-1252 are detected. ` +
      `PNG, JPEG, GIF and WebP images up to ${MAX_IMAGE_MB} MB are returned as images. Of a PDF up to ${MAX_PDF_MB} MB ` +
      `and ${MAX_PDF_PAGES} pages the text is returned page by page; a PDF without text, up to ${MAX_PDF_HANDED_ON_MB} MB, ` +
      "is returned as a file. Other binary files, folders and devices are rejected.",
    ...READS,
    limits: { shape: "file" },
    facts: async ({ path }) => [await resolveGiven(path, targetOptions(options, "read"))],
    attributes: ({ path, start_line }) => ({ path, start_line }),
    async run(input, context) {
      const fact = pathFactOf(context);
      const shownPath = displayPath(root, fact.path);
      if (!existed(fact)) throw await missingFile(fact.path, shownPath);
      const file = await openTarget(fact, constants.O_RDONLY);
      try {
        const { start_line: startLine, limit } = input;
        const { start, version } = await readStart(file);
        const { signal } = context;
        const find = context.find(FindSecretsKey);
        const range = { path: shownPath, startLine, limit, continueAt, signal, find };
        const reply = await readByKind(file, start, range);
        await fileAccessOf(context, options).note(fact.path, version);
        return reply;
      } finally {
        await file.handle.close();
      }
    },
  });
}

async function readByKind(file: OpenFile, start: Buffer, range: TextRange): Promise<Reply> {
  const { size } = file.stats;
  const mimeType = imageTypeOf(start);
  if (mimeType !== undefined) return readImage(file, range.path, mimeType);
  if (isPdf(start)) return readPdf(file, range);
  if (isBinary(start)) throw refusal(range.path, size, "is a binary file");
  return readText(file, start, range);
}

async function readImage({ handle, stats }: OpenFile, path: string, mimeType: string): Promise<Reply> {
  if (stats.size > MAX_IMAGE_MB * 1024 * 1024)
    throw refusal(path, stats.size, `is an image over ${MAX_IMAGE_MB} MB`);
  const data = Buffer.alloc(stats.size);
  const { bytesRead } = await handle.read(data, 0, data.length, 0);
  const note = { type: "text", text: `${path} (${mimeType}, ${bytesRead} bytes)` } as const;
  return new Reply([note, image(data.subarray(0, bytesRead), mimeType)], {
    data: { path, mime_type: mimeType, bytes: bytesRead },
  });
}
