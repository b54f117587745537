import type { Context } from "../text/context.ts";
import { CUT_OFF } from "../text/context.ts";
import { emitCalls, toCall } from "./emit-calls.ts";
import { scanTo } from "../text/scan.ts";
import type { Step } from "../text/source.ts";

/** Tools that take code, by the names that models know. */
const CODE_TOOLS = ["python", "ipython", "code_interpreter"];
/** What is a call in another notation and no code. */
const CALL = /^\s*(?:$|[{[<]|([A-Za-z_]\w*)(?:\.call)?\()/;
const END = /<\|(?:eom_id|eot_id|python_tag)\|>/g;
const MAX_HEAD = 96;

/** Reads code that is meant for a tool which runs it. False, with nothing taken, where it is something else or there is no such tool. */
export function* readCode(context: Context): Step<boolean> {
  const { source, tools, emitter } = context;
  const name = CODE_TOOLS.find((tool) => tools.has(tool));
  if (name === undefined) return false;
  const [call, called] = CALL.exec(yield* source.peek(MAX_HEAD)) ?? [];
  if (call !== undefined && (called === undefined || tools.has(called))) return false;
  const from = source.offset;
  const end = yield* scanTo(source, END);
  const raw = source.taken();
  if (end === undefined && context.reason === "length") {
    emitter.problem(raw, CUT_OFF);
    return true;
  }
  const [key = "code"] = Object.keys(tools.schemaOf(name)?.["properties"] ?? {});
  emitCalls(context, undefined, [toCall(name, { [key]: raw.slice(from) }, false)]);
  return true;
}
