import { image, type Content } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import { decodeText } from "../../system/fetch/decode-text.ts";
import type { Fetched } from "../../system/fetch/fetcher.ts";
import { imageTypeOf, isBinary, isPdf } from "../../system/files/kind.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import { pdfPages } from "../files/read/pdf.ts";
import { runInThread } from "../shared/run-in-thread.ts";
import { fitImage } from "./fit-image.ts";
import type { Page, PageRequest } from "./read-page.ts";
import { defined } from "../../util/json/defined.ts";

const MAX_PDF_PAGES = 500;
const MAX_PDF_CHARACTERS = 1_000_000;

const MAX_INDENTED_CHARACTERS = 20 * 1024 * 1024;
/** A comment ends at its first end mark, so that a page of comments is matched in one way only and in little time. */
const HTML = /^\s*(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype html|html)\b/is;

export interface ReadOptions {
  readonly format: PageRequest["format"];
  readonly selector?: string | undefined;
  readonly signal: AbortSignal;
}

/** Turns a response into text or images, by what it is and not only by what it is called. */
export async function readResponse(
  { url, headers, body }: Fetched,
  { format, selector, signal }: ReadOptions,
): Promise<string | readonly Content[]> {
  const type = headers["content-type"] ?? "";
  const start = body.subarray(0, 4096);
  const imageType = imageTypeOf(start);
  if (imageType !== undefined)
    return [
      { type: "text", text: `${url.href} (${imageType})` },
      image(await fitImage(body, imageType, signal), imageType),
    ];
  if (isPdf(start)) return readPdf(url, body, signal);
  if (isBinary(start) && !/charset=utf-16/i.test(type))
    throw new ToolError("TOOL_FAILED", `${url.href} is a binary file (${type === "" ? "of no type" : type})`);
  const text = decodeText(body, type);
  if (/[/+]json\b/i.test(type)) return indentJson(text);
  if (!/html/i.test(type) && !HTML.test(text.slice(0, 2000))) return text;
  return readHtml({ html: text, url: url.href, format, ...defined({ selector }) }, signal);
}

/** The packages that read pages take a time that grows with the square of many elements, and faster with deeply nested ones. */
const MAX_READ_SECONDS = 20;

async function readHtml(request: PageRequest, signal: AbortSignal): Promise<string> {
  const tooLong = new AbortController();
  const thread = {
    worker: "page-worker",
    reads: "the page",
    signal: AbortSignal.any([signal, tooLong.signal]),
  };
  const page = await withTimeout(runInThread<Page>(request, thread), MAX_READ_SECONDS * 1000, () => {
    tooLong.abort();
    const message = `${request.url} could not be read in ${MAX_READ_SECONDS} s: it is too large or nested too deeply`;
    throw new ToolError("TOOL_FAILED", message, {
      hint: 'set format to "html", which is faster to read, or selector to a part of the page',
    });
  });
  if ("problem" in page) {
    const message =
      page.problem === "selector" ? "is not a CSS selector that can be read" : "matches nothing on the page";
    throw new ToolError("INVALID_INPUT", `${request.selector ?? ""} ${message}`, {
      hint: "leave out selector to see the whole page",
    });
  }
  const frames = page.frames.map((frame) => `- ${frame}`).join("\n");
  const text = page.text === "" ? "[the page has no text without JavaScript]" : page.text;
  return frames === "" ? text : `${text}\n\nFrames of the page:\n${frames}`;
}

async function readPdf({ href }: URL, body: Buffer, signal: AbortSignal): Promise<string> {
  const answer = await pdfPages(
    body,
    {
      firstPage: 1,
      maxPages: MAX_PDF_PAGES,
      maxTotalPages: MAX_PDF_PAGES,
      maxCharacters: MAX_PDF_CHARACTERS,
    },
    signal,
  );
  if ("problem" in answer)
    throw new ToolError("TOOL_FAILED", `${href} is a PDF that cannot be read: ${answer.message}`);
  const { pages, totalPages } = answer;
  if (totalPages > MAX_PDF_PAGES)
    throw new ToolError("TOOL_FAILED", `${href} is a PDF of ${totalPages} pages, over ${MAX_PDF_PAGES}`);
  return pages.map((text, index) => `[page ${index + 1} of ${totalPages}]\n${text}`).join("\n");
}

function indentJson(text: string): string {
  if (indentedLength(text) > MAX_INDENTED_CHARACTERS) return text;
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, undefined, INDENT);
}

const INDENT = 2;

/** Returns about how long JSON is when it is indented: each line of deeply nested JSON begins with many spaces. */
function indentedLength(text: string): number {
  let [length, depth, isInString] = [text.length, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isInString && character === "\\") at += 1;
    else if (character === '"') isInString = !isInString;
    if (isInString || !"[]{},".includes(character)) continue;
    if (character === "[" || character === "{") depth += 1;
    if (character === "]" || character === "}") depth -= 1;
    length += 1 + depth * INDENT;
  }
  return length;
}
