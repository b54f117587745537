import { isUtf8 } from "node:buffer";
import { attempt } from "../../util/async/attempt.ts";
import { markedEncoding } from "../files/encoding.ts";

/** Where a page declares its encoding: HTML looks no further. */
const DECLARED_WITHIN = 1024;
const LESS_THAN = 0x3c;
const DECLARED =
  /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]+)|<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]+)/i;

/** Decodes text by its byte order mark, the charset of its content type or its own declaration; else as UTF-8, else as Windows-1252. */
export function decodeText(bytes: Buffer, contentType: string): string {
  const mark = markedEncoding(bytes)?.replace("-bom", "");
  const declared = mark ?? /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? declaredIn(bytes);
  const decoded = declared === undefined ? undefined : decode(bytes, declared);
  return decoded ?? (isUtf8(bytes) ? bytes.toString() : decode(bytes, "windows-1252")) ?? "";
}

function declaredIn(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, DECLARED_WITHIN);
  if (!start.includes(LESS_THAN)) return undefined;
  const [, inMeta, inXml] = DECLARED.exec(start.toString("latin1")) ?? [];
  return inMeta ?? inXml;
}

/** Returns undefined for an unknown charset. */
function decode(bytes: Buffer, charset: string): string | undefined {
  return attempt(() => new TextDecoder(charset).decode(bytes));
}
