import type { Json } from "../../../core/json.ts";

/** A call that was found in a model's text. */
export interface TextCall {
  readonly name: string;
  readonly input: Json;
  /** As the model numbered it, where its dialect numbers calls. */
  readonly id?: string;
  /** What was written was broken, and could be mended in one way only. */
  readonly repaired?: true;
}

/** A part of a model's text, in the order in which it was written. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: TextCall }
  /** What was meant as a call and cannot be read, with the reason. */
  | { readonly kind: "problem"; readonly text: string; readonly message: string };
