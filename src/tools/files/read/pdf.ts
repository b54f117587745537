import { entryFile } from "../../../system/package-files.ts";
import { Reply, type Content } from "../../../core/content.ts";
import { ToolError } from "../../../core/errors.ts";
import type { OpenFile } from "../../../system/files/files.ts";
import { MAX_TEXT_BYTES } from "../../shared/answer-limits.ts";
import type { PdfAnswer, PdfRequest } from "./pdf-worker.ts";
import { refusal, type TextRange } from "./text.ts";

/** Larger PDFs are rejected. */
export const MAX_PDF_MB = 32;
/** PDFs with more pages are rejected. */
export const MAX_PDF_PAGES = 5000;
/** A PDF without text is returned as a file up to this size. */
export const MAX_PDF_HANDED_ON_MB = 5;
const MEGABYTE = 1024 * 1024;
const MAX_HEAP_MB = 256;
const MAX_GROWTH_MB = 384;
const LOOK_MS = 25;

/** Reads the text of a PDF page by page; returns one without text as a file. Time and memory are limited. */
export async function readPdf({ handle, stats }: OpenFile, range: TextRange): Promise<Reply> {
  const { path, signal } = range;
  if (stats.size > MAX_PDF_MB * MEGABYTE) throw refusal(path, stats.size, `is a PDF over ${MAX_PDF_MB} MB`);
  const bytes = new Uint8Array(stats.size);
  await handle.read(bytes, 0, bytes.length, 0);
  const answer = await inThread(
    {
      bytes: Uint8Array.from(bytes),
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

function render({ pages, totalPages }: Pages, { path, startLine }: TextRange): Reply {
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
  const notice = `pages ${startLine} to ${next - 1} of ${totalPages} shown; continue with start_line=${next}`;
  return new Reply(`[${notice}]\n${text}`, { data });
}

const MAX_NOTICE_BYTES = 200;

/** Reads in a thread that ends with the call, or when it uses too much memory. */
async function inThread(request: PdfRequest, signal: AbortSignal): Promise<PdfAnswer> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<PdfAnswer>();
  // Loaded on demand: few calls read a PDF.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(entryFile("pdf-worker"), {
    workerData: request,
    transferList: [request.bytes.buffer],
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const startBytes = process.memoryUsage.rss();
  // The thread's memory limit does not include buffers, into which a small file may unpack without limit.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() - startBytes > MAX_GROWTH_MB * MEGABYTE) reject(tooMuchMemory());
  }, LOOK_MS);
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  worker.once("message", resolve);
  worker.once("error", (cause) => reject(tooMuchMemory(cause)));
  worker.once("exit", () => reject(tooMuchMemory()));
  try {
    return await promise;
  } finally {
    clearInterval(watch);
    signal.removeEventListener("abort", abort);
    await worker.terminate();
  }
}

function tooMuchMemory(cause?: unknown): ToolError {
  const what = "the PDF could not be read: its reader crashed or used too much memory";
  return new ToolError("TOOL_FAILED", what, { cause });
}
