import { BASE_METRICS, valuesOf, type Metrics } from "./cvss-metrics.ts";

const PREFIX = "CVSS:3.1";

/** The metrics of a vector, or all its problems, one sentence each. */
export type ParsedVector = { readonly metrics: Metrics } | { readonly problems: readonly string[] };

/** Parses a CVSS 3.1 vector; the prefix may be missing, other versions are rejected. */
export function parseCvssVector(text: string): ParsedVector {
  const [first = "", ...rest] = text.trim().split("/");
  if (first.toUpperCase().startsWith("CVSS") && first.toUpperCase() !== PREFIX)
    return { problems: [`it begins with ${first}; only ${PREFIX} is scored`] };
  const parts = first.toUpperCase() === PREFIX ? rest : [first, ...rest];
  const metrics: Record<string, string> = {};
  const problems: string[] = [];
  for (const part of parts) {
    const [name = "", value = "", ...more] = part.toUpperCase().split(":");
    const values = valuesOf(name);
    if (values === undefined || more.length > 0) problems.push(`"${part}" is not a metric`);
    else if (!values.includes(value)) problems.push(`"${part}": ${name} is one of ${values.join(", ")}`);
    else if (Object.hasOwn(metrics, name)) problems.push(`${name} is given twice`);
    else metrics[name] = value;
  }
  const missing = BASE_METRICS.filter((name) => !Object.hasOwn(metrics, name));
  if (missing.length > 0) problems.push(`missing: ${missing.join(", ")}`);
  return problems.length > 0 ? { problems } : { metrics };
}

/** Returns a vector in the standard form. */
export function toCvssVector(metrics: Metrics): string {
  return [PREFIX, ...Object.entries(metrics).map(([name, value]) => `${name}:${value}`)].join("/");
}
