import * as fc from "fast-check";
import { mayBeRounded } from "../../../src/util/json/parse-json.ts";

/** Generates JSON without integers that a parser may have rounded, which an input of a call cannot have as numbers. */
export function plainJson(): fc.Arbitrary<unknown> {
  return fc.jsonValue().map((value) => withoutRounded(value));
}

function withoutRounded(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "number" && mayBeRounded(part) ? 0 : part,
  );
  return JSON.parse(text) as unknown;
}
