/** Byte order marks, which go over every declaration. */
const MARKS: readonly (readonly [string, string])[] = [
  ["efbbbf", "utf-8"],
  ["feff", "utf-16be"],
  ["fffe", "utf-16le"],
];
/** Where a page declares its encoding: HTML looks no further. */
const DECLARED_WITHIN = 1024;
const DECLARED =
  /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]+)|<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]+)/i;

/** Decodes text by its byte order mark, the charset of its content type or its own declaration; else as UTF-8, else as Windows-1252. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, DECLARED_WITHIN));
  const hex = start.toString("hex", 0, 3);
  const mark = MARKS.find(([prefix]) => hex.startsWith(prefix))?.[1];
  const [, inMeta, inXml] = DECLARED.exec(start.toString("latin1")) ?? [];
  const declared = mark ?? /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? inMeta ?? inXml;
  return decode(bytes, declared) ?? decode(bytes, "utf-8", true) ?? decode(bytes, "windows-1252") ?? "";
}

function decode(bytes: Uint8Array, charset: string | undefined, fatal = false): string | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes);
  } catch {
    return undefined;
  }
}
