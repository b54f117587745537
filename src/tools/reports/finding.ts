import { integer, list, object, optional, string, type Infer } from "../../schema/define/schema.ts";
import type { CvssScore } from "./cvss.ts";
import { requestIds, screenshotIds, type Evidence } from "./evidence.ts";

const MAX_LINE_CHARACTERS = 300;
const MAX_TEXT_CHARACTERS = 20_000;
const MAX_LOCATIONS = 50;

const line = (description: string) => string(description, { min: 1, max: MAX_LINE_CHARACTERS });
const text = (description: string) => string(description, { min: 1, max: MAX_TEXT_CHARACTERS });

const location = object({
  file: line("The file"),
  start_line: optional(integer("Its first line", { min: 1 })),
  end_line: optional(integer("Its last line", { min: 1 })),
  snippet: optional(string("The code there", { max: MAX_TEXT_CHARACTERS })),
  label: optional(line("What it does there")),
});

/** The parameters of a vulnerability report. */
export const findingInput = object({
  title: line("The vulnerability in one line"),
  description: text("A description of the vulnerability"),
  impact: text("What an attacker gains"),
  target: line("What is vulnerable: a host, an application, a repository"),
  technical_analysis: text("The technical cause"),
  poc_description: text("How to reproduce it, step by step"),
  poc_script: text("Code or commands that prove it"),
  remediation_steps: text("How to fix it"),
  cvss_vector: line('A CVSS 3.1 vector, such as "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"'),
  endpoint: optional(line("The path or function that is vulnerable")),
  method: optional(line("The HTTP method")),
  cve: optional(
    string("The CVE number, if there is one", { pattern: "^[Cc][Vv][Ee]-[0-9]{4}-[0-9]{4,19}$" }),
  ),
  cwe: optional(string("The CWE number", { pattern: "^[Cc][Ww][Ee]-[0-9]{1,6}$" })),
  code_locations: optional(list(location, "The locations in the code", { max: MAX_LOCATIONS })),
  request_ids: optional(requestIds),
  screenshot_ids: optional(screenshotIds),
});

export type FindingInput = Infer<typeof findingInput>;
export type CodeLocation = Infer<typeof location>;

/** A reported vulnerability. */
// A type, not an interface, so that it is assignable to JSON.
export type Finding = Omit<FindingInput, "request_ids" | "screenshot_ids"> & {
  readonly id: string;
  readonly cvss: CvssScore;
  /** Milliseconds since 1970. */
  readonly reportedAt: number;
  /** The agent that found it. */
  readonly agent: string | null;
  readonly evidence?: Evidence;
};

/** Sorts by severity, then by time. */
export function byRisk(left: Finding, right: Finding): number {
  return (
    right.cvss.score - left.cvss.score || left.reportedAt - right.reportedAt || (left.id < right.id ? -1 : 1)
  );
}
