import { isUtf8 } from "node:buffer";
import { unifiedDiff } from "../../../tools/files/shared/unified-diff.ts";

/** In a few words, what became of a content: lines added and removed where both are text, else sizes. */
export function describeChange(before: Uint8Array, after: Uint8Array): string {
  if (!isText(before) || !isText(after)) return `${before.length} bytes then, ${after.length} now`;
  const lines = unifiedDiff("file", toText(before), toText(after)).split("\n").slice(2);
  const count = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length;
  const [added, removed] = [count("+"), count("-")];
  return added + removed === 0 ? "too large a difference to count" : `+${added} -${removed} lines since`;
}

function isText(content: Uint8Array): boolean {
  return isUtf8(content) && !content.includes(0);
}

function toText(content: Uint8Array): string {
  return Buffer.from(content).toString("utf8");
}
