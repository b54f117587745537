import { Reply, type Content } from "../../../core/content.ts";
import type { ToolError } from "../../../core/errors.ts";
import type { OpenFile } from "../../../system/files/files.ts";
import { MAX_TEXT_BYTES } from "../../shared/answer-limits.ts";
import { runInThread } from "../../shared/run-in-thread.ts";
import type { PdfAnswer, PdfRequest } from "./pdf-worker.ts";
import { refusal, type TextRange } from "./text.ts";

/** Larger PDFs are rejected. */
export const MAX_PDF_MB = 32;
/** PDFs with more pages are rejected. */
export const MAX_PDF_PAGES = 5000;
/** A PDF without text is returned as a file up to this size. */
export const MAX_PDF_HANDED_ON_MB = 5;
const MEGABYTE = 1024 * 1024;

/** Reads the text of a PDF page by page; returns one without text as a file. Time and memory are limited. */
export async function readPdf({ handle, stats }: OpenFile, range: TextRange): Promise<Reply> {
  const { path, signal } = range;
  if (stats.size > MAX_PDF_MB * MEGABYTE) throw refusal(path, stats.size, `is a PDF over ${MAX_PDF_MB} MB`);
  const bytes = new Uint8Array(stats.size);
  await handle.read(bytes, 0, bytes.length, 0);
  const answer = await pdfPages(
    bytes,
    {
      firstPage: range.startLine,
      maxPages: range.limit ?? MAX_PDF_PAGES,
      maxTotalPages: MAX_PDF_PAGES,
      maxCharacters: MAX_TEXT_BYTES,
    },
    signal,
  );
  if ("problem" in answer) throw unreadable(path, stats.size, answer);
  if (answer.totalPages > MAX_PDF_PAGES)
    throw refusal(path, stats.size, `is a PDF of ${answer.totalPages} pages, over ${MAX_PDF_PAGES}`);
  const hasText = answer.pages.some((text) => text.trim() !== "");
  const isWhole = answer.pages.length === answer.totalPages;
  return !hasText && isWhole ? handOn(path, bytes, answer.totalPages) : render(answer, range);
}

/** Reads the text of pages in a thread of its own. */
export function pdfPages(
  bytes: Uint8Array,
  range: Omit<PdfRequest, "bytes">,
  signal: AbortSignal,
): Promise<PdfAnswer> {
  const copy = Uint8Array.from(bytes);
  const thread = { worker: "pdf-worker", reads: "the PDF", signal, transfer: [copy.buffer] };
  return runInThread<PdfAnswer>({ ...range, bytes: copy } satisfies PdfRequest, thread);
}

type Pages = Extract<PdfAnswer, { readonly pages: readonly string[] }>;
type Problem = Extract<PdfAnswer, { readonly problem: string }>;

function unreadable(path: string, bytes: number, { problem, message }: Problem): ToolError {
  if (problem === "encrypted") return refusal(path, bytes, "is an encrypted PDF, which needs its password");
  return refusal(path, bytes, `is a PDF that cannot be read: ${message}`);
}

function handOn(path: string, bytes: Uint8Array, totalPages: number): Reply {
  if (bytes.length > MAX_PDF_HANDED_ON_MB * MEGABYTE)
    throw refusal(path, bytes.length, `is a PDF without text, over ${MAX_PDF_HANDED_ON_MB} MB`);
  const mimeType = "application/pdf";
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  const name = path.slice(path.lastIndexOf("/") + 1);
  const note: Content = { type: "text", text: `[${path} is a PDF of ${totalPages} pages without text]` };
  return new Reply([note, { type: "file", data, mimeType, name }], {
    data: { path, mime_type: mimeType, bytes: bytes.length, total_pages: totalPages },
  });
}

function render({ pages, totalPages }: Pages, { path, startLine, continueAt }: TextRange): Reply {
  if (pages.length === 0) {
    const data = { path, start_page: startLine, pages: 0, total_pages: totalPages };
    return new Reply(`[${path} has ${totalPages} pages: page ${startLine} does not exist]`, { data });
  }
  const marked = pages.map((text, index) => `[page ${startLine + index} of ${totalPages}]\n${text}`);
  // A single page that is too long is cut by the engine, which stores the whole.
  const fits = (count: number): boolean =>
    Buffer.byteLength(marked.slice(0, count).join("\n")) <= MAX_TEXT_BYTES - MAX_NOTICE_BYTES;
  let count = marked.length;
  while (count > 1 && !fits(count)) count -= 1;
  const next = startLine + count;
  const data = { path, start_page: startLine, pages: count, total_pages: totalPages };
  const text = marked.slice(0, count).join("\n");
  if (next > totalPages) return new Reply(text, { data });
  const notice = `pages ${startLine} to ${next - 1} of ${totalPages} shown; continue with ${continueAt(next)}`;
  return new Reply(`[${notice}]\n${text}`, { data });
}

const MAX_NOTICE_BYTES = 200;
