import {
  BASE_METRICS,
  ENVIRONMENTAL_METRICS,
  TEMPORAL_METRICS,
  weightOf,
  type Metrics,
} from "./cvss-metrics.ts";

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
  return {
    base,
    ...(temporal !== undefined && { temporal }),
    ...(environmental !== undefined && { environmental }),
    score,
    severity: severityOf(score),
  };
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
