import type { Json } from "../../../core/json.ts";
import type { Context } from "../text/context.ts";
import type { Frame } from "../text/frame.ts";
import type { TextCall } from "../text/piece.ts";

/** Gives calls away, or keeps them until their frame is closed where only then they count. */
export function emitCalls(context: Context, frame: Frame | undefined, calls: readonly TextCall[]): void {
  const named = calls.map((call) => ({ ...call, name: context.tools.nameOf(call.name) }));
  if (frame?.held !== undefined) {
    frame.held.push(...named);
    return;
  }
  for (const call of named) context.emitter.call(call);
  context.source.mark();
}

/** One call that was read from its name and its input. */
export function toCall(name: string, input: Json, repaired: boolean, id?: string): TextCall {
  return { name, input, ...(id === undefined ? {} : { id }), ...(repaired ? { repaired: true } : {}) };
}
