import type { Piece } from "./lexed.ts";
import { readExpanded } from "./read-expansion.ts";
import { fault, innerScan, type PendingDocument, type Scan } from "./scan.ts";

/** Reads the bodies of the here-documents declared on the previous line. */
export function readDocuments(scan: Scan, pending: readonly PendingDocument[]): void {
  for (const document of pending) readDocument(scan, document);
}

function readDocument(scan: Scan, pending: PendingDocument): void {
  const { text, isClosed } = takeBody(scan, pending);
  if (!isClosed) fault(scan, "a here-document is not closed");
  const outer = scan.codes;
  scan.codes = [];
  const pieces: readonly Piece[] = pending.isQuoted
    ? [{ kind: "text", text, isQuoted: true }]
    : readExpanded(innerScan(scan, text));
  pending.document.body = { pieces, source: text, codes: scan.codes };
  scan.codes = outer;
}

function takeBody(
  scan: Scan,
  { delimiter, isQuoted, isIndented }: PendingDocument,
): { readonly text: string; readonly isClosed: boolean } {
  const lines: string[] = [];
  while (scan.at < scan.text.length) {
    const line = takeLine(scan, isQuoted);
    const bare = isIndented ? line.replace(/^\t+/, "") : line;
    if (bare === delimiter) return { text: lines.join(""), isClosed: true };
    lines.push(`${bare}\n`);
  }
  return { text: lines.join(""), isClosed: false };
}

/** Returns a line without its end. If the document is expanded, a backslash joins it with the next line. */
function takeLine(scan: Scan, isQuoted: boolean): string {
  let line = "";
  for (;;) {
    const end = scan.text.indexOf("\n", scan.at);
    const part = scan.text.slice(scan.at, end < 0 ? undefined : end);
    scan.at = end < 0 ? scan.text.length : end + 1;
    const isJoined = !isQuoted && end >= 0 && /(?:^|[^\\])(?:\\\\)*\\$/.test(part);
    if (!isJoined) return line + part;
    line += part.slice(0, -1);
  }
}
