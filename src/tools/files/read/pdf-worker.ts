// Runs in its own thread, so that reading a PDF can be aborted and its memory is limited.
import { parentPort, workerData } from "node:worker_threads";
import type { PDFDocumentProxy } from "unpdf/pdfjs";

export interface PdfRequest {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly firstPage: number;
  readonly maxPages: number;
  /** A PDF with more pages is not read. */
  readonly maxTotalPages: number;
  /** Reading stops when the texts of the pages are longer than this. */
  readonly maxCharacters: number;
}

export type PdfAnswer =
  | { readonly pages: readonly string[]; readonly totalPages: number }
  | { readonly problem: "encrypted" | "broken"; readonly message: string };

parentPort?.postMessage(await readPdf(workerData as PdfRequest));

async function readPdf(request: PdfRequest): Promise<PdfAnswer> {
  const { getDocumentProxy } = await import("unpdf");
  try {
    const pdf = await getDocumentProxy(request.bytes, { verbosity: 0 });
    return { pages: await readPages(pdf, request), totalPages: pdf.numPages };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { problem: name === "PasswordException" ? "encrypted" : "broken", message };
  }
}

async function readPages(pdf: PDFDocumentProxy, request: PdfRequest): Promise<readonly string[]> {
  const { firstPage, maxPages, maxTotalPages, maxCharacters } = request;
  if (pdf.numPages > maxTotalPages) return [];
  const last = Math.min(pdf.numPages, firstPage + maxPages - 1);
  const pages: string[] = [];
  let characters = 0;
  for (let number = firstPage; number <= last && characters <= maxCharacters; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const pieces = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""));
    const text = pieces.join("").trimEnd();
    pages.push(text);
    characters += text.length;
    page.cleanup();
  }
  return pages;
}
