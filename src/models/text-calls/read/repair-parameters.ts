import { isObject } from "../../../core/json.ts";
import type { Context } from "./context.ts";
import type { ToolTable } from "./tool-table.ts";
import { scanTo, type Step } from "../scan/scan.ts";
import { closingSource, openingSource, peekTag, type Tag } from "../scan/tag.ts";
import { containsName, matchKey } from "../values/match-key.ts";

/** What the repair of a call's parameters reads and changes. */
export interface RepairedCall {
  readonly tag: Tag;
  readonly name: string | undefined;
  readonly entries: readonly unknown[];
  readonly json: unknown;
  readonly pendingKey: string | undefined;
  /** The name that was read between the tags of the parameter. */
  keyInside: string | undefined;
  isRepaired: boolean;
  /** What was repaired, in a few words. */
  readonly repairs: string[];
}

/** Skips a sentence between parameters, which is no part of any of them. Returns false, with nothing taken, if it may be a parameter without its tags. */
export function* skipWords({ source, tools, patterns }: Context, reading: RepairedCall): Step<boolean> {
  if (
    reading.pendingKey !== undefined ||
    reading.json !== undefined ||
    !tools.knows(tools.closestTo(reading.name ?? ""))
  )
    return false;
  const from = source.offset;
  // With the bracket before it, with which MiniMax M3 begins a tag, so that the end does not depend on the text after it.
  const end = yield* scanTo(source, patterns.of(String.raw`\]?<`));
  const words = source.taken().slice(from);
  const tag = end === undefined ? undefined : yield* peekTag(source);
  // Before the first parameter it may be the input itself.
  const isBetween = tag !== undefined && (reading.entries.length > 0 || !tag.isClosing);
  const isSentence =
    isBetween &&
    /^[\p{L}"'][^<>{}[\]=]{2,400}$/u.test(words) &&
    !namesParameter(tools, reading.name, words) &&
    !/^\s*["'`]?[\p{L}_][\p{L}\p{N}_-]*["'`]?\s*:/mu.test(words);
  if (!isSentence) source.rewind(from);
  else reading.repairs.push("text between parameters");
  reading.isRepaired ||= isSentence;
  return isSentence;
}

/** Returns whether a text has the name of a parameter in it, so that it may be a parameter whose tags are lost. */
export function namesParameter(tools: ToolTable, tool: string | undefined, text: string): boolean {
  return containsName(text, Object.keys(tools.propertiesOf(tools.closestTo(tool ?? "")) ?? {}));
}

/** Returns the tool's own name of a parameter, if what was written differs from it in case, white space, `_` and `-` alone. */
export function knownKey({ tools }: Context, reading: RepairedCall, written: string): string {
  const properties = tools.propertiesOf(reading.name);
  if (properties === undefined || Object.hasOwn(properties, written)) return written;
  const { additionalProperties } = tools.schemaOf(tools.closestTo(reading.name ?? "")) ?? {};
  const key = matchKey(written, Object.keys(properties));
  if (key === undefined || additionalProperties === true || isObject(additionalProperties)) return written;
  reading.isRepaired = true;
  reading.repairs.push(`"${written}" for "${key}"`);
  return key;
}

/** Reads a value up to the next tag of a parameter or of the call. */
export function* readToTag(
  context: Context,
  { tag: call }: RepairedCall,
  { form, name }: Tag,
): Step<{ readonly to: number; readonly isRepaired: boolean; readonly repair: string } | undefined> {
  const { source, patterns } = context;
  const from = source.offset;
  const end = yield* scanTo(
    source,
    patterns.of(`${openingSource(form, name)}|${closingSource(call.form, call.name)}`),
  );
  const isCertain = end !== undefined && !/<[/|｜\p{L}]/u.test(source.taken().slice(from));
  return isCertain
    ? { to: source.offset, isRepaired: true, repair: "a parameter without its name" }
    : undefined;
}
