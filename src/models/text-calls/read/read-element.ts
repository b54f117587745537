import { putBack, type Context } from "./context.ts";
import { scanTo, type Step } from "../scan/scan.ts";
import { closingSource, openingSource, type Tag } from "../scan/tag.ts";

import { endUnclosed, skipElement, isPartOfValue, type OpenCall, type ReadValue } from "./end-value.ts";

/**
 * Reads a value between tags of the parameter's own name, or of all values. If it is not closed, it ends where the next parameter of
 * the tool begins or the call ends.
 */
export function* readElement(
  context: Context,
  call: OpenCall,
  tag: Tag,
  names: readonly string[],
): Step<ReadValue | undefined> {
  const { source, patterns } = context;
  const from = source.offset;
  const isListed = names.length > 0 && source.position >= context.strictUntil;
  const others = tag.name === "arg_value" ? ["arg_key"] : names.filter((name) => name !== tag.written);
  const own = tag.written.replace(/^.*:/, "");
  const ends = [
    closingSource(call.tag.form, call.tag.name),
    String.raw`<\/(?:parameters|arguments|args|params)>`,
  ];
  const pattern = patterns.of(
    `(?<closing>${closingSource(tag.form, own)})|(?<opening>\\n?${openingSource(tag.form, others.length === 0 ? own : others, "(?=(?<sign>[\\s>]))")})|(?<end>${ends.join("|")})`,
  );
  if (!isListed) return yield* skipElement(context, call, tag);
  let repair: string | undefined;
  for (;;) {
    const stop = yield* scanTo(source, pattern);
    const to = source.offset;
    if (stop?.groups?.["closing"] === undefined)
      return yield* readUnclosed(context, { call, tag, from }, stop);
    if (!(yield* isPartOfValue(context, call, pattern, stop[0].length))) {
      if (hasSwallowed(context, call, tag, source.taken().slice(from))) return putBack(context, from);
      source.at += stop[0].length;
      return { to, isRepaired: false, ...(repair === undefined ? {} : { repair }) };
    }
    repair = "a tag in a value";
  }
}

/** Returns whether a value goes on into the same parameter of the next call, so that its own end is lost. */
function hasSwallowed({ patterns }: Context, call: OpenCall, tag: Tag, value: string): boolean {
  if (!value.includes("<")) return false;
  const next = value.search(patterns.of(openingSource(call.tag.form, call.tag.name)));
  return next >= 0 && value.slice(next).search(patterns.of(openingSource(tag.form, tag.written))) >= 0;
}

interface Unclosed {
  readonly call: OpenCall;
  readonly tag: Tag;
  readonly from: number;
}

/** Ends a value that is not closed where the next parameter begins or the call ends, unless its end may have been cut off. */
function* readUnclosed(
  context: Context,
  { call, tag, from }: Unclosed,
  found: RegExpExecArray | undefined,
): Step<ReadValue | undefined> {
  const { source } = context;
  const to = source.offset;
  source.rewind(from);
  const skipped = yield* skipElement(context, call, tag);
  if (skipped !== undefined || found === undefined || context.reason === "length") return skipped;
  source.at += to - from;
  const isCertain =
    found[0].startsWith("\n") || found.groups?.["end"] !== undefined || tag.name === "arg_value";
  const ended = isCertain ? endUnclosed(context, call, tag, { from, to }) : undefined;
  if (ended === undefined) source.rewind(from);
  return ended;
}
