import { number, object, oneOf } from "../../../schema/define/schema.ts";
import { at } from "./typed.ts";

/** A part of the life of a call. */
export const PhaseShape = object({
  name: oneOf(["judged", "waited", "queued", "ran", "formatted"]),
  from: number(at),
  to: number(at),
});
