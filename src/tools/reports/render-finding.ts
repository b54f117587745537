import type { CodeLocation, Finding } from "./finding.ts";

/** Renders a finding as Markdown with a heading of the given level. */
export function renderFinding(finding: Finding, level: number): string {
  const heading = (depth: number, text: string): string => `${"#".repeat(level + depth)} ${oneLine(text)}`;
  const { poc_script, code_locations = [] } = finding;
  const sections: readonly (readonly [string, string])[] = [
    ["Description", finding.description],
    ["Impact", finding.impact],
    ["Technical analysis", finding.technical_analysis],
    ["Proof of concept", `${finding.poc_description}\n\n${fenced(poc_script)}`],
    ...(code_locations.length === 0
      ? []
      : [["Code", code_locations.map(renderLocation).join("\n\n")] as const]),
    ["Remediation", finding.remediation_steps],
  ];
  return [
    heading(0, finding.title),
    "",
    ...factsOf(finding).map(([name, value]) => `- **${name}:** ${oneLine(value)}`),
    "",
    ...sections.flatMap(([title, text]) => [heading(1, title), "", text.trim(), ""]),
  ].join("\n");
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

function renderLocation({ file, start_line, end_line, snippet, label }: CodeLocation): string {
  const lines =
    start_line === undefined ? "" : `:${start_line}${end_line === undefined ? "" : `-${end_line}`}`;
  const head = `\`${oneLine(file)}${lines}\`${label === undefined ? "" : ` ${oneLine(label)}`}`;
  return snippet === undefined ? head : `${head}\n\n${fenced(snippet)}`;
}

/** Fences code so that nothing in it can close the fence. */
function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${code.replace(/\n$/, "")}\n${fence}`;
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
