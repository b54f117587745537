import { code, heading, text, type Block } from "./blocks.ts";
import { evidenceBlocks } from "./evidence.ts";
import type { CodeLocation, Finding } from "./finding.ts";

/** Returns a finding as a part of a report, with a heading of the given level. */
export function findingBlocks(finding: Finding, level: number): readonly Block[] {
  const { code_locations = [], evidence } = finding;
  const section = (title: string, ...blocks: readonly Block[]): readonly Block[] =>
    blocks.length === 0 ? [] : [heading(level + 1, title), ...blocks];
  return [
    heading(level, finding.title),
    { kind: "facts", rows: factsOf(finding) },
    ...section("Description", text(finding.description)),
    ...section("Impact", text(finding.impact)),
    ...section("Technical analysis", text(finding.technical_analysis)),
    ...section("Proof of concept", text(finding.poc_description), code(finding.poc_script)),
    ...(evidence === undefined ? [] : evidenceBlocks(evidence, level + 1)),
    ...section("Code", ...code_locations.flatMap(locationBlocks)),
    ...section("Remediation", text(finding.remediation_steps)),
  ];
}

function factsOf(finding: Finding): readonly (readonly [string, string])[] {
  const { id, target, endpoint, method, cve, cwe, cvss, cvss_vector, agent, reportedAt } = finding;
  const where = [method, endpoint].filter((word) => word !== undefined).join(" ");
  return [
    ["Id", id],
    ["Severity", `${cvss.severity} (${cvss.score.toFixed(1)})`],
    ["CVSS", `${scoresOf(finding)}, \`${cvss_vector}\``],
    ["Target", target],
    ...(where === "" ? [] : [["Endpoint", where] as const]),
    ...(cve === undefined ? [] : [["CVE", cve] as const]),
    ...(cwe === undefined ? [] : [["CWE", cwe] as const]),
    ...(agent === null ? [] : [["Found by", agent] as const]),
    ["Reported", new Date(reportedAt).toISOString()],
  ];
}

function scoresOf({ cvss: { base, temporal, environmental } }: Finding): string {
  const scores = [
    `base ${base.toFixed(1)}`,
    ...(temporal === undefined ? [] : [`temporal ${temporal.toFixed(1)}`]),
    ...(environmental === undefined ? [] : [`environmental ${environmental.toFixed(1)}`]),
  ];
  return scores.join(", ");
}

function locationBlocks({ file, start_line, end_line, snippet, label }: CodeLocation): readonly Block[] {
  const lines =
    start_line === undefined ? "" : `:${start_line}${end_line === undefined ? "" : `-${end_line}`}`;
  const head = `\`${file}${lines}\`${label === undefined ? "" : ` ${label}`}`;
  return [text(head.replaceAll(/\s+/g, " ")), ...(snippet === undefined ? [] : [code(snippet)])];
}
