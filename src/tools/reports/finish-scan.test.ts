import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openMemoryToolsOnDisk, openMemoryTools } from "../../../test/support/agents/memory-tools.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Finding } from "./finding.ts";

const TEXTS = {
  executive_summary: "It is bad.",
  methodology: "By hand.",
  technical_analysis: "Input is trusted.",
  recommendations: "Fix it.",
} as const;

const VECTORS = {
  low: "AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N",
  critical: "AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H",
  high: "AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N",
  none: "AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N",
} as const;

function finding(title: string, severity: keyof typeof VECTORS) {
  return {
    title,
    description: "d",
    impact: "i",
    target: "shop | example",
    technical_analysis: "t",
    poc_description: "p",
    poc_script: "s",
    remediation_steps: "r",
    cvss_vector: VECTORS[severity],
  };
}

interface Finished {
  readonly scan_id: string;
  readonly findings: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly files: { readonly markdown: string; readonly json: string };
}

test("the whole report has every finding of every session, the worst first, as Markdown and as JSON", async (t) => {
  const { data } = openMemoryTools(t);
  for (const severity of ["low", "critical", "none", "high"] as const) {
    await data("create_vulnerability_report", finding(`a ${severity} one`, severity), `agent ${severity}`);
  }
  const { counts, files } = (await data("finish_scan", TEXTS)) as unknown as Finished;
  assert.deepEqual(counts, { critical: 1, high: 1, medium: 0, low: 1, none: 1 });
  const report = JSON.parse(readFileSync(files.json, "utf8")) as {
    findings: readonly Finding[];
    methodology: string;
  };
  assert.deepEqual(
    report.findings.map(({ cvss }) => cvss.severity),
    ["critical", "high", "low", "none"],
  );
  assert.equal(report.methodology, "By hand.");
  const markdown = readFileSync(files.markdown, "utf8");
  const headings = [...markdown.matchAll(/^##? (.*)$/gm)].map(([, title]) => title);
  assert.deepEqual(headings, [
    "Security assessment",
    "Executive summary",
    "Methodology",
    "Findings",
    "Technical analysis",
    "Recommendations",
  ]);
  assert.match(markdown, /\| 9\.8 \| critical \| a critical one \| shop \\\| example \|\n\| 7\.5 \| high/);
  const titles = [...markdown.matchAll(/^### (.*)$/gm)].map(([, title]) => title);
  assert.deepEqual(titles, ["a critical one", "a high one", "a low one", "a none one"]);
});

test("two agents that finish the scan at once both write its report", async (t) => {
  const { data } = openMemoryTools(t);
  await data("create_vulnerability_report", finding("the one", "high"));
  const both = ["one", "two"].map((session) => data("finish_scan", TEXTS, session));
  const [first, second] = (await Promise.all(both)) as unknown as readonly Finished[];
  assert.deepEqual(first?.files, second?.files);
  assert.match(readFileSync(first?.files.markdown ?? "", "utf8"), /### the one/);
});

test("a scan that found nothing has a report that says so", async (t) => {
  const { text, data } = openMemoryTools(t);
  assert.match(await text("finish_scan", TEXTS), /^Finished scan-20\S+: no vulnerabilities\n/);
  const { files } = (await data("finish_scan", TEXTS)) as unknown as Finished;
  assert.match(readFileSync(files.markdown, "utf8"), /No vulnerabilities were reported\./);
});

test("finished again by the same session it is the same report; later findings start another scan", async (t) => {
  const { data } = openMemoryTools(t);
  await data("create_vulnerability_report", finding("one", "high"));
  const first = (await data("finish_scan", TEXTS)) as unknown as Finished;
  const again = (await data("finish_scan", {
    ...TEXTS,
    executive_summary: "It is worse.",
  })) as unknown as Finished;
  assert.deepEqual([again.scan_id, again.findings], [first.scan_id, first.findings]);
  assert.match(readFileSync(first.files.markdown, "utf8"), /It is worse\./);
  await data("create_vulnerability_report", finding("one", "high"));
  const next = (await data("finish_scan", TEXTS)) as unknown as Finished;
  assert.notEqual(next.scan_id, first.scan_id);
  assert.equal(next.findings.length, 1);
});

test("another session that finishes without findings of its own does not touch the report before", async (t) => {
  const { data } = openMemoryTools(t);
  await data("create_vulnerability_report", finding("one", "high"), "first");
  const first = (await data("finish_scan", TEXTS, "first")) as unknown as Finished;
  const before = readFileSync(first.files.json, "utf8");
  const second = (await data("finish_scan", TEXTS, "second")) as unknown as Finished;
  assert.deepEqual([second.findings, second.scan_id === first.scan_id], [[], false]);
  assert.equal(readFileSync(first.files.json, "utf8"), before);
});

test("a report that could not be written can be asked for again, with all its findings", async (t) => {
  const { data, fault, root } = openMemoryTools(t);
  await data("create_vulnerability_report", finding("one", "high"));
  rmSync(join(root, ".kept/reports"), { recursive: true });
  writeFileSync(join(root, ".kept/reports"), "in the way");
  assert.match((await fault("finish_scan", TEXTS)).message, /cannot make the folder/);
  rmSync(join(root, ".kept/reports"));
  assert.equal(((await data("finish_scan", TEXTS, "another")) as unknown as Finished).findings.length, 1);
});

test("a scan goes on in another process, in a real database", async (t) => {
  const [root, folder] = [temporaryFolder(t), join(temporaryFolder(t), "state")];
  const first = await openMemoryToolsOnDisk(t, root, folder);
  await first.data("create_vulnerability_report", finding("one", "high"));
  await first.close();
  const second = await openMemoryToolsOnDisk(t, root, folder);
  assert.match(
    (await second.fault("create_vulnerability_report", finding("one", "high"))).message,
    /already reported/,
  );
  await second.data("create_vulnerability_report", finding("two", "low"));
  assert.equal(((await second.data("finish_scan", TEXTS)) as unknown as Finished).findings.length, 2);
  assert.equal(readdirSync(join(root, ".kept/reports")).length, 1);
});
