import { join } from "node:path";
import { Reply } from "../../core/content.ts";
import { SessionKey } from "../../core/session/session.ts";
import type { Tool } from "../../core/tool.ts";
import { integer, list, object, optional, record, string, type Infer } from "../../schema/define/schema.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { AGENTS, builtIn, named } from "../shared/built-in-tool.ts";
import { heading, text, toMarkdown, type Block } from "./blocks.ts";
import { SEVERITIES, type Severity } from "./cvss.ts";
import {
  collectEvidence,
  evidenceBlocks,
  requestIds,
  screenshotIds,
  type Evidence,
  type ImageFile,
} from "./evidence.ts";
import type { Finding } from "./finding.ts";
import type { ReportTools } from "./options.ts";
import { findingBlocks } from "./render-finding.ts";
import { AGAIN_MINUTES, scansOf, type Scan } from "./scan.ts";
import { toHtml } from "./to-html.ts";
import { readImages, reportsFolderOf, toDataUrl, toJsonText, writeReport } from "./write-report.ts";

const TITLE = "Security assessment";
const NAME = "report";
const MAX_TEXT_CHARACTERS = 50_000;

const prose = (description: string) => string(description, { min: 1, max: MAX_TEXT_CHARACTERS });

const input = object({
  executive_summary: prose("The findings and their meaning, for decision makers"),
  methodology: prose("What was tested, and how"),
  technical_analysis: prose("What the findings have in common, for developers"),
  recommendations: prose("What to do, the most urgent first"),
  request_ids: optional(requestIds),
  screenshot_ids: optional(screenshotIds),
});

export const FINISH_SCAN = named("finish_scan", input, {
  scan_id: string(),
  findings: list(string()),
  counts: record(integer()),
  files: object({ markdown: string(), json: string(), html: string() }),
});

type ScanTexts = Omit<Infer<typeof input>, "request_ids" | "screenshot_ids"> & {
  readonly evidence: Evidence;
};

/** Writes the report of the whole scan with all findings, most severe first. */
export function finishScan(options: ReportTools): Tool {
  const scans = scansOf(options);
  return builtIn({
    ...FINISH_SCAN,
    description:
      "Finishes the scan of this workspace: writes the report as Markdown, as JSON and as one HTML file that stands alone, with all " +
      "reported vulnerabilities, most severe first, and what they cite. Requests and screenshots cited here belong to the scan as a whole. Called again within " +
      `${AGAIN_MINUTES} minutes it writes the same report again; later findings start another scan. Secrets are masked.`,
    ...AGENTS,
    async run({ request_ids, screenshot_ids, ...given }, context) {
      const cited = { name: NAME, request_ids, screenshot_ids };
      const { evidence, images } = await collectEvidence(cited, context, options.traffic);
      const { id: session } = context.get(SessionKey);
      const scan = await scans.toFinish(session);
      const folder = join(reportsFolderOf(options.reportsFolder), scan.id);
      const findings = await scans.findings(scan);
      const counts = countsOf(findings);
      const finished = { ...scan, finishedAt: Date.now(), finishedBy: session };
      const texts = copyJson({ ...given, evidence }, undefined, options.mask) as ScanTexts;
      const blocks = scanBlocks(texts, finished, findings);
      const files = await writeReport(folder, {
        name: NAME,
        contents: {
          markdown: toMarkdown(blocks),
          json: toJsonText({ scan: finished, counts, ...texts, findings }),
          html: toHtml(TITLE, blocks, await imagesOf(findings, images, folder)),
        },
        images,
        operations: options.operations,
      });
      // After the report: if it cannot be written, the call can be repeated with all findings.
      await scans.finish(finished);
      const paths = [files.markdown, files.json, files.html].join("\n");
      return new Reply(`Finished ${scan.id}: ${describeCounts(counts)}\n${paths}`, {
        data: { scan_id: scan.id, findings: findings.map(({ id }) => id), counts, files },
      });
    },
  });
}

/** Returns the images of the findings, which were written with them, and those of this call. */
async function imagesOf(
  findings: readonly Finding[],
  own: readonly ImageFile[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const files = findings.flatMap(({ evidence }) => evidence?.screenshots ?? []).map(({ file }) => file);
  const images = own.map(({ name, content }) => [name, toDataUrl(content)] as const);
  return new Map([...(await readImages(folder, files)), ...images]);
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

function scanBlocks(
  given: ScanTexts,
  { id, startedAt, finishedAt }: Scan,
  findings: readonly Finding[],
): readonly Block[] {
  const times = [startedAt, finishedAt ?? startedAt].map((at) => new Date(at).toISOString());
  const rows = findings.map(({ title, target, cvss }) => [
    cvss.score.toFixed(1),
    cvss.severity,
    title,
    target,
  ]);
  const table: Block = { kind: "table", rows: [["score", "severity", "finding", "target"], ...rows] };
  const section = (title: string, content: string): readonly Block[] => [heading(2, title), text(content)];
  return [
    heading(1, TITLE),
    text(`Scan ${id}, ${times.join(" to ")}`),
    ...section("Executive summary", given.executive_summary),
    ...section("Methodology", given.methodology),
    heading(2, "Findings"),
    findings.length === 0 ? text("No vulnerabilities were reported.") : table,
    ...findings.flatMap((finding) => findingBlocks(finding, 3)),
    ...section("Technical analysis", given.technical_analysis),
    ...evidenceBlocks(given.evidence, 2),
    ...section("Recommendations", given.recommendations),
  ];
}
