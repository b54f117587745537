import type { Json } from "../../core/json.ts";
import { copyJson } from "./copy-json.ts";
import type { Masker } from "../text/mask.ts";

/** Masks a value and its JSON text. The value is only walked if the text contains a secret. */
export function maskJson(
  value: Json,
  masker: Pick<Masker, "text">,
): { readonly data: Json; readonly text: string } {
  const text = JSON.stringify(value);
  if (masker.text(text) === text) return { data: value, text };
  const data = copyJson(value, undefined, masker.text);
  return { data, text: JSON.stringify(data) };
}
