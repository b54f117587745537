import type { Hook, HookMoment, HookPoint } from "../../core/hook.ts";
import { isObject } from "../../core/json.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import type { HookAnswer, OnStop } from "../hooks/ask-hook.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { toFault } from "../../util/json/fault.ts";
import { askInTurn } from "../hooks/hooks.ts";
import { AGAIN, cancelledError, given } from "../state/passage.ts";
import type { Passage, StationOutcome } from "../state/passage.ts";

/** Hooks that go on rewriting each other's input will never agree. */
const MAX_REWRITES = 5;

/** Station: asks the hooks that come before a call. They may refuse it, have someone asked, or put another input in place. */
export function consultHooks(passage: Passage): StationOutcome | Promise<StationOutcome> {
  const { hooks } = passage.line;
  const asked = hooks?.at("before_tool");
  if (hooks === undefined || asked === undefined) return undefined;
  // What was said of an input that is no longer there is not said of this one.
  passage.tightened = undefined;
  return askInTurn<Exclude<StationOutcome, undefined>>(
    asked,
    (hook) => hooks.ask(hook, momentOf(passage, "before_tool"), stopOnCancel(passage)),
    (hook, answer) => (passage.cancelled ? toFault(cancelledError()) : heed(passage, hook, answer)),
  );
}

/** What a hook is shown of a call: under the tool's own name, whatever the model called it, and with an input of the hook's own. */
export function momentOf(passage: Passage, point: HookPoint): HookMoment {
  const { call, tool, input, facts, risk } = given(passage.job, "job");
  const { session } = passage.options;
  const shown = copyJson(input, "INVALID_INPUT");
  return {
    point,
    ...(session === undefined ? {} : { session }),
    call: { id: call.id, name: tool.name, input: isObject(shown) ? shown : {} },
    risk,
    facts,
  };
}

/** Stops a hook when its call is cancelled, also by the hook itself before anybody could listen. */
export function stopOnCancel(passage: Passage): OnStop {
  return (stop) => {
    const cancel = (): void => stop("the call was cancelled");
    if (passage.cancelled) queueMicrotask(cancel);
    return passage.onCancel(cancel);
  };
}

function heed(
  passage: Passage,
  hook: Hook,
  answer: HookAnswer,
): Exclude<StationOutcome, undefined> | undefined {
  const { name, onFailure = "refuse" } = hook;
  switch (answer.kind) {
    case "refuse":
      return refused(name, `hook "${name}" refused it: ${answer.reason}`);
    case "ask":
      passage.tightened ??= { hook: name, reason: `hook "${name}" wants it approved: ${answer.reason}` };
      return undefined;
    case "rewrite":
      return rewrite(passage, name, answer.input);
    case "failed":
      return onFailure === "pass" ? undefined : undecided(name, answer.message);
    default:
      return undefined;
  }
}

/** Another input: nothing that was decided or approved before is about it. */
function rewrite(
  passage: Passage,
  name: string,
  input: JsonObject,
): Exclude<StationOutcome, undefined> | undefined {
  if (isInPlace(passage, input)) return undefined;
  passage.rewrites += 1;
  if (passage.rewrites > MAX_REWRITES) {
    const message = `the hooks do not agree: hook "${name}" rewrote the input after ${MAX_REWRITES} rewrites`;
    return refused(name, message, "make them leave an input alone that is as they want it");
  }
  passage.replacement = input;
  passage.isApproved = false;
  return AGAIN;
}

/** True for the input that is judged now, and for the one that it was made from by coercing and filling in defaults. */
function isInPlace(passage: Passage, input: JsonObject): boolean {
  const hash = hashOf(input);
  const { job, replacement } = passage;
  return (
    hash === hashOf(given(job, "job").input) || (replacement !== undefined && hash === hashOf(replacement))
  );
}

function undecided(name: string, message: string): Fault {
  const hint = 'mend the hook, or set its onFailure to "pass" to run without its word';
  return refused(name, `hook "${name}" could not decide: ${message}`, hint);
}

function refused(name: string, message: string, hint?: string): Fault {
  return {
    code: "DENIED",
    message,
    ...(hint === undefined ? {} : { hint }),
    details: { rule: `hook.${name}` },
  };
}
