import { LimitSlot } from "../call/limit-slot.ts";
import { cancelledError, required, type CallState, type StageOutcome } from "../call/call-state.ts";

/** Stage: waits while the tool, or the engine, runs as many calls as its limit allows. Without limits it does nothing. */
export function takeSlot(state: CallState): StageOutcome | Promise<StageOutcome> {
  const { engine, context, options } = state;
  const own = engine.limitSlots.of(required(state.entry, "tool").tool);
  if (own === undefined && engine.limitSlots.all === undefined) return undefined;
  const stop = new AbortController();
  const slot = new LimitSlot(own, engine.limitSlots.all, stop.signal);
  context.limitSlot = slot;
  const entered = slot.enter(options.holdsSlot === true);
  if (typeof entered === "boolean") return undefined;
  const stopListening = state.onCancel(() => stop.abort());
  return entered.finally(stopListening).then((isEntered) => {
    if (!isEntered) throw cancelledError(state.engine, state.options.signal);
    return undefined;
  });
}
