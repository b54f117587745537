import type { Trust, TrustItem } from "../../config/files/trust.ts";
import { unifiedDiff } from "../../../tools/files/shared/unified-diff.ts";
import { visible } from "../../../util/text/visible.ts";
import { alignRows } from "./align-rows.ts";

/** Returns the name by which a person trusts an item. */
export function trustName({ kind, name }: Pick<TrustItem, "kind" | "name">): string {
  return `${kind}:${name}`;
}

/** Makes untrusted text safe to print: one line, with control characters escaped. */
export function trustText(text: string): string {
  return visible(text).replaceAll("\n", "\\n");
}

/** Lists items with their state, then what changed in each since it was trusted. */
export function trustList(items: readonly TrustItem[], stored: Trust): string {
  const rows = items.map((item) => [
    stored.stateOf(item),
    trustText(trustName(item)),
    trustText(item.detail),
  ]);
  return `${alignRows(rows)}${items.map((item) => trustDifference(item, stored)).join("")}`;
}

/** Returns what changed in an item since it was trusted, or an empty text if that is not known. */
export function trustDifference(item: TrustItem, stored: Trust): string {
  if (item.text === undefined || stored.stateOf(item) !== "changed") return "";
  const before = stored.list().find(({ kind, name }) => kind === item.kind && name === item.name)?.text;
  if (before === undefined) return "";
  // Some texts are kept without their last line break.
  const end = before.endsWith("\n") || item.text.endsWith("\n") ? "" : "\n";
  const text = unifiedDiff(item.name, before + end, item.text + end);
  return `\n${trustText(trustName(item))} changed since you trusted it:\n${visible(text)}\n`;
}
