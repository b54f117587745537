import { builtIn, AGENTS } from "../shared/built-in-tool.ts";
import { join } from "node:path";
import { Reply } from "../../core/content.ts";
import { object, string, type Infer } from "../../schema/define/schema.ts";
import { Session } from "../../core/session/session.ts";
import type { Tool } from "../../core/tool.ts";
import type { WorkspaceOptions } from "../shared/collections.ts";
import { SEVERITIES, type Severity } from "./cvss.ts";
import type { Finding } from "./finding.ts";
import { oneLine, renderFinding } from "./render-finding.ts";
import { AGAIN_MINUTES, scansOf, type Scan } from "./scan.ts";
import { reportsFolderOf, writeReport } from "./write-report.ts";

const MAX_TEXT_CHARACTERS = 50_000;

const text = (description: string) => string(description, { min: 1, max: MAX_TEXT_CHARACTERS });

export const input = object({
  executive_summary: text("The findings and their meaning, for decision makers"),
  methodology: text("What was tested, and how"),
  technical_analysis: text("What the findings have in common, for developers"),
  recommendations: text("What to do, the most urgent first"),
});

type ScanTexts = Infer<typeof input>;

/** Writes the report of the whole scan with all findings, most severe first. */
export function finishScan(options: WorkspaceOptions & { readonly reportsFolder?: string }): Tool {
  const scans = scansOf(options);
  return builtIn({
    name: "finish_scan",
    description:
      "Finishes the scan of this workspace: writes the report as Markdown and JSON with all reported vulnerabilities, most " +
      "severe first. Called again within " +
      `${AGAIN_MINUTES} minutes it writes the same report again; later findings start another scan.`,
    input,
    ...AGENTS,
    async run(given, context) {
      const folder = reportsFolderOf(options.reportsFolder);
      const { id: session } = context.get(Session);
      const scan = await scans.toFinish(session);
      const findings = await scans.findings(scan);
      const counts = countsOf(findings);
      const finished = { ...scan, finishedAt: Date.now(), finishedBy: session };
      const files = await writeReport(join(folder, scan.id), {
        name: "report",
        markdown: render(given, finished, findings),
        json: { scan: finished, counts, ...given, findings },
      });
      // After the report: if it cannot be written, the call can be repeated with all findings.
      await scans.finish(finished);
      return new Reply(`Finished ${scan.id}: ${describeCounts(counts)}\n${files.markdown}\n${files.json}`, {
        data: { scan_id: scan.id, findings: findings.map(({ id }) => id), counts, files: { ...files } },
      });
    },
  });
}

type Counts = Readonly<Record<string, number>>;

/** Counts the findings of each severity. */
function countsOf(findings: readonly Finding[]): Counts {
  const countOf = (severity: Severity): number =>
    findings.filter(({ cvss }) => cvss.severity === severity).length;
  return Object.fromEntries(SEVERITIES.map((severity) => [severity, countOf(severity)]));
}

function describeCounts(counts: Counts): string {
  const words = Object.entries(counts).filter(([, count]) => count !== 0);
  return words.length === 0
    ? "no vulnerabilities"
    : words.map(([name, count]) => `${count} ${name}`).join(", ");
}

function render(given: ScanTexts, { id, startedAt, finishedAt }: Scan, findings: readonly Finding[]): string {
  const rows = findings.map(
    ({ title, target, cvss }) =>
      `| ${cvss.score.toFixed(1)} | ${cvss.severity} | ${cell(title)} | ${cell(target)} |`,
  );
  const table = ["| score | severity | finding | target |", "|---|---|---|---|", ...rows];
  return [
    "# Security assessment",
    "",
    `Scan ${id}, ${new Date(startedAt).toISOString()} to ${new Date(finishedAt ?? startedAt).toISOString()}`,
    "",
    ...section("Executive summary", given.executive_summary),
    ...section("Methodology", given.methodology),
    "## Findings",
    "",
    ...(findings.length === 0 ? ["No vulnerabilities were reported."] : table),
    "",
    ...findings.map((finding) => renderFinding(finding, 3)),
    ...section("Technical analysis", given.technical_analysis),
    ...section("Recommendations", given.recommendations),
  ].join("\n");
}

function section(title: string, content: string): readonly string[] {
  return [`## ${title}`, "", content.trim(), ""];
}

function cell(content: string): string {
  return oneLine(content).replaceAll("|", String.raw`\|`);
}
