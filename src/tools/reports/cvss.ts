import { defined } from "../../util/json/defined.ts";
/** The severities of the standard, highest first. */
export const SEVERITIES = ["critical", "high", "medium", "low", "none"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The scores of a vector; a score without metrics is not set. */
// A type, not an interface, so that it is assignable to JSON.
export type CvssScore = {
  readonly base: number;
  readonly temporal?: number;
  readonly environmental?: number;
  /** The most specific of them: environmental over temporal over base. */
  readonly score: number;
  /** The severity of that score. */
  readonly severity: Severity;
};

/** Returns the CVSS 3.1 scores of a vector with all base metrics. */
export function scoreCvss(metrics: Metrics): CvssScore {
  const has = (names: readonly string[]): boolean => names.some((name) => (metrics[name] ?? "X") !== "X");
  const base = baseScore(metrics);
  const temporal = has(TEMPORAL_METRICS) ? roundUp(base * temporalFactor(metrics)) : undefined;
  const environmental = has(ENVIRONMENTAL_METRICS) ? environmentalScore(metrics) : undefined;
  const score = environmental ?? temporal ?? base;
  return { base, ...defined({ temporal, environmental }), score, severity: severityOf(score) };
}

function severityOf(score: number): Severity {
  if (score === 0) return "none";
  if (score < 4) return "low";
  if (score < 7) return "medium";
  return score < 9 ? "high" : "critical";
}

function baseScore(metrics: Metrics): number {
  const share = 1 - IMPACTS.reduce((rest, name) => rest * (1 - weightOf(metrics, name)), 1);
  const impact = isChanged(metrics) ? 7.52 * (share - 0.029) - 3.25 * (share - 0.02) ** 15 : 6.42 * share;
  return combine(impact, metrics);
}

/** Uses modified metrics instead of base metrics, and weights the impact with the requirements. */
function environmentalScore(metrics: Metrics): number {
  const modified = withModified(metrics);
  const rest = IMPACTS.reduce(
    (product, name) => product * (1 - weightOf(metrics, `${name}R`) * weightOf(modified, name)),
    1,
  );
  const share = Math.min(1 - rest, 0.915);
  const impact = isChanged(modified)
    ? 7.52 * (share - 0.029) - 3.25 * (share * 0.9731 - 0.02) ** 13
    : 6.42 * share;
  return roundUp(combine(impact, modified) * temporalFactor(metrics));
}

const IMPACTS = ["C", "I", "A"];

function withModified(metrics: Metrics): Metrics {
  const values = BASE_METRICS.map((name) => {
    const modified = metrics[`M${name}`] ?? "X";
    return [name, modified === "X" ? (metrics[name] ?? "") : modified];
  });
  return Object.fromEntries(values) as Metrics;
}

function isChanged(metrics: Metrics): boolean {
  return metrics["S"] === "C";
}

function combine(impact: number, metrics: Metrics): number {
  if (impact <= 0) return 0;
  const exploitability = ["AV", "AC", "PR", "UI"].reduce(
    (product, name) => product * weightOf(metrics, name),
    8.22,
  );
  const sum = impact + exploitability;
  return roundUp(Math.min(isChanged(metrics) ? 1.08 * sum : sum, 10));
}

function temporalFactor(metrics: Metrics): number {
  return TEMPORAL_METRICS.reduce((product, name) => product * weightOf(metrics, name), 1);
}

/** Rounds up to a tenth as the standard does, in integers, so that floating-point errors cannot change the result. */
function roundUp(value: number): number {
  const whole = Math.round(value * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}

/** The values of a metric and their weights in the formulas; `S` only selects the formula. */
export type Metrics = Readonly<Record<string, string>>;

const IMPACT = { H: 0.56, L: 0.22, N: 0 };
const REQUIREMENT = { X: 1, H: 1.5, M: 1, L: 0.5 };

/** The tables of CVSS 3.1. */
const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  UI: { N: 0.85, R: 0.62 },
  S: { U: 0, C: 0 },
  C: IMPACT,
  I: IMPACT,
  A: IMPACT,
  E: { X: 1, H: 1, F: 0.97, P: 0.94, U: 0.91 },
  RL: { X: 1, U: 1, W: 0.97, T: 0.96, O: 0.95 },
  RC: { X: 1, C: 1, R: 0.96, U: 0.92 },
  CR: REQUIREMENT,
  IR: REQUIREMENT,
  AR: REQUIREMENT,
};

/** Privileges have higher weights if the scope changes. */
const CHANGED_PRIVILEGES: Readonly<Record<string, number>> = { N: 0.85, L: 0.68, H: 0.5 };

export const BASE_METRICS = ["AV", "AC", "PR", "UI", "S", "C", "I", "A"] as const;
export const TEMPORAL_METRICS = ["E", "RL", "RC"] as const;
const MODIFIED_METRICS = BASE_METRICS.map((name) => `M${name}`);
export const ENVIRONMENTAL_METRICS: readonly string[] = ["CR", "IR", "AR", ...MODIFIED_METRICS];

/** Returns the values of a metric; undefined for an unknown metric. */
export function valuesOf(name: string): readonly string[] | undefined {
  const isModified = MODIFIED_METRICS.includes(name);
  const weights = WEIGHTS[isModified ? name.slice(1) : name];
  if (weights === undefined) return undefined;
  return isModified ? ["X", ...Object.keys(weights)] : Object.keys(weights);
}

/** Returns the weight of a metric in a vector; a missing one counts as not defined. */
function weightOf(metrics: Metrics, name: string): number {
  const value = metrics[name] ?? "X";
  const table = name === "PR" && metrics["S"] === "C" ? CHANGED_PRIVILEGES : WEIGHTS[name];
  return table?.[value] ?? 0;
}

const PREFIX = "CVSS:3.1";

/** The metrics of a vector, or all its problems, one sentence each. */
type ParsedVector = { readonly metrics: Metrics } | { readonly problems: readonly string[] };

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
