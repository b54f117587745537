import { Place } from "../call/place.ts";
import { cancelledError, required, type CallState, type StageOutcome } from "../call/call-state.ts";

/** Stage: waits while the tool, or the engine, runs as many calls as its limit allows. Without limits it does nothing. */
export function takePlace(state: CallState): StageOutcome | Promise<StageOutcome> {
  const { engine, context, options } = state;
  const own = engine.places.of(required(state.entry, "tool").tool);
  if (own === undefined && engine.places.all === undefined) return undefined;
  const stop = new AbortController();
  const place = new Place(own, engine.places.all, stop.signal);
  context.place = place;
  const entered = place.enter(options.holdsPlace === true);
  if (typeof entered === "boolean") return undefined;
  const stopListening = state.onCancel(() => stop.abort());
  return entered.finally(stopListening).then((isEntered) => {
    if (!isEntered) throw cancelledError(state.engine);
    return undefined;
  });
}
