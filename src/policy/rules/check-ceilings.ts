import { ToolError } from "../../core/errors.ts";
import type { Ceiling } from "../../core/policy.ts";
import { createDocumentParser } from "../../schema/parse-document.ts";
import { describeValue } from "../../util/json/describe-value.ts";
import { CEILING_SCHEMA } from "./policy-schema.ts";

/**
 * Creates a check that throws `INVALID_INPUT` for a ceiling with an unknown member or a wrong value, which would limit nothing. It reads
 * each ceiling once: a caller passes the same ones with all of its calls.
 */
export function createCeilingCheck(): (ceilings: readonly Ceiling[]) => void {
  const checked = new WeakSet<Ceiling>();
  let parse: ReturnType<typeof createDocumentParser> | undefined;
  return (ceilings) => {
    if (!Array.isArray(ceilings))
      throw new ToolError("INVALID_INPUT", `ceilings: expected a list, got ${describeValue(ceilings)}`);
    for (const [index, ceiling] of ceilings.entries()) {
      if (checked.has(ceiling)) continue;
      parse ??= createDocumentParser(CEILING_SCHEMA, { defaults: false });
      parse(ceiling, `ceilings[${index}]`);
      checked.add(ceiling);
    }
  };
}
