import type { Json, JsonObject, JsonSchema } from "../../core/json.ts";
import { compileAjv } from "./ajv.ts";
import type { Checker } from "./checker.ts";
import { unusable } from "./checker.ts";
import type { Dialect } from "./dialect.ts";
import { dialectOf } from "./dialect.ts";
import type { Fill } from "./fill-defaults.ts";
import { compileDefaults } from "./fill-defaults.ts";
import { createReport } from "./finding.ts";
import { guard } from "./guard.ts";
import { resolveLocal } from "./pointer.ts";
import { compileQuick } from "./quick.ts";
import type { Rule } from "./rule.ts";

export interface CheckerOptions {
  readonly defaults?: boolean;
  readonly formats?: boolean;
  readonly documents?: JsonObject;
}

/** Compiles a schema: to closures where they know every keyword, else with Ajv, which is then loaded. Never throws. */
export function prepareChecker(schema: JsonSchema, options: CheckerOptions): Checker {
  const fault = guard(schema);
  if (fault !== undefined) return unusable(fault);
  const formats = options.formats !== false;
  const dialect = dialectOf(schema);
  const quick = dialect === undefined ? { leave: "$schema" } : compileQuick(schema, { dialect, formats });
  if ("unusable" in quick) return unusable(quick.unusable);
  const fill = options.defaults === false ? undefined : defaultsOf(schema, dialect, formats);
  if ("rule" in quick) return fromRule(quick.rule, fill);
  return compileAjv(schema, { formats, documents: options.documents ?? {}, fill });
}

function fromRule(rule: Rule, fill: Fill | undefined): Checker {
  const explain: Checker["explain"] = (value) => {
    const report = createReport();
    rule.explain(value, "", report);
    return report.findings;
  };
  return { unusable: undefined, fill, check: rule.check, explain };
}

function defaultsOf(schema: JsonSchema, dialect: Dialect | undefined, formats: boolean): Fill | undefined {
  const fits = (value: Json, part: JsonSchema): boolean => {
    const quick = compileQuick(part, { dialect: dialect ?? "2020-12", formats, document: schema });
    return "rule" in quick ? quick.rule.check(value) : true;
  };
  return compileDefaults(schema, { resolve: (reference) => resolveLocal(schema, reference), fits });
}
