import { number, object, oneOf } from "../../../schema/define/schema.ts";

const at = "milliseconds since 1970";

/** A part of the life of a call. */
export const PhaseShape = object({
  name: oneOf(["judged", "waited", "queued", "ran", "formatted"]),
  from: number(at),
  to: number(at),
});
