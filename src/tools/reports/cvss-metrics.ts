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
export function weightOf(metrics: Metrics, name: string): number {
  const value = metrics[name] ?? "X";
  const table = name === "PR" && metrics["S"] === "C" ? CHANGED_PRIVILEGES : WEIGHTS[name];
  return table?.[value] ?? 0;
}
