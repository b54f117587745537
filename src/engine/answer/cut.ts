import type { Content, Reply, Shape, Truncated } from "../../core/content.ts";
import type { Cut } from "../../core/cuts.ts";
import { defined } from "../../util/json/defined.ts";
import { headOf, tailOf } from "../../util/text/text-ends.ts";
import type { CallState } from "../call/call-state.ts";
import { fits, howToRead, LARGE } from "./truncate.ts";

interface CutText {
  readonly shown: string;
  readonly notice: string;
  readonly truncated: Truncated;
}

interface CutOptions {
  /** Shown instead of the head or tail. */
  readonly shown?: string;
  /** Set if the tool itself has truncated its output. */
  readonly already?: Truncated | undefined;
}

/** Cuts a text by its shape, stores the whole text as an artifact and returns a notice about both. */
export async function cutText(state: CallState, text: string, options: CutOptions): Promise<CutText> {
  const shape = shapeOf(state);
  const isLog = shape === "log";
  const { keep } = cutOf(state);
  const excerpt = options.shown ?? (isLog ? tailOf(text, keep) : headOf(text, keep));
  const artifactId = options.already?.artifactId ?? (await storeWhole(state, text));
  const total = Math.max(options.already?.total ?? 0, text.length);
  const notice = `[truncated: the ${isLog ? "last" : "first"} ${sizeOf(excerpt)} of ${sizeOf(text)} shown; ${howToRead(artifactId)}]`;
  return { shown: excerpt, notice, truncated: { shape, total, ...defined({ artifactId }) } };
}

/** Returns the shape that decides how the answer is cut. */
export function shapeOf({ limits }: CallState): Shape {
  return limits?.shape ?? "text";
}

/** Returns the size in bytes above which a text is cut, and the size that is kept: of the shape, or the tool's own. */
export function cutOf(state: CallState): Cut {
  const shape = shapeOf(state);
  const { cuts } = state.engine;
  const cut = shape === "list" || shape === "matches" ? cuts.text : cuts[shape];
  const over = Math.max(state.limits?.maxBytes ?? 0, state.options.maxBytes ?? 0);
  // Keeps the same share as for other texts of the shape.
  return over <= cut.over ? cut : { over, keep: Math.floor((cut.keep * over) / cut.over) };
}

/** Cuts a list of items by count and stores all items as an artifact. */
export async function cutList(
  state: CallState,
  items: readonly string[],
  reply: Reply,
): Promise<readonly Content[]> {
  const shape = state.limits?.shape === "matches" ? "matches" : "list";
  const cut = state.engine.cuts[shape];
  const total = reply.truncated?.total ?? items.length;
  const atLeast = reply.truncated?.atLeast === true;
  const others = reply.content.filter((content) => content.type !== "text");
  const whole = items.join("\n");
  const byCount = items.length > cut.over ? items.slice(0, cut.keep) : items;
  const { text, count } = withinBytes(byCount, state.engine.cuts.text.over * 5);
  if (count === items.length && total <= items.length) return [{ type: "text", text: whole }, ...others];
  const artifactId = reply.truncated?.artifactId ?? (await storeWhole(state, whole));
  state.truncated = { shape, total, ...(atLeast ? { atLeast } : {}), ...defined({ artifactId }) };
  const notice = `[truncated: the first ${count} of ${atLeast ? "at least " : ""}${total} shown; ${howToRead(artifactId)}]`;
  return [{ type: "text", text }, { type: "text", text: notice }, ...others];
}

/** Returns as many items as fit into the limit, and at least the start of the first. */
function withinBytes(
  items: readonly string[],
  bytes: number,
): { readonly text: string; readonly count: number } {
  const whole = items.join("\n");
  if (fits(whole, bytes)) return { text: whole, count: items.length };
  let size = 0;
  const count = items.findIndex((item) => (size += Buffer.byteLength(item) + 1) > bytes);
  if (count > 0) return { text: items.slice(0, count).join("\n"), count };
  return { text: headOf(items[0] ?? "", bytes), count: 1 };
}

/** Stores a whole text and returns its id, or undefined if it cannot be stored: the cut answer is worth more than an error. */
export async function storeWhole({ engine }: CallState, text: string): Promise<string | undefined> {
  try {
    const writer = engine.artifacts?.create();
    if (text.length > LARGE) await (await import("./large.ts")).writeLarge(writer, text);
    else await writer?.write(text);
    return (await writer?.close())?.id;
  } catch {
    return undefined;
  }
}

export function sizeOf(text: string): string {
  const bytes = Buffer.byteLength(text);
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`;
}
