import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/core/json.ts";
import { isNameOf, type Received, type Result } from "./wires.ts";
import type { Step } from "./model.ts";

/** One thing that must work in every client. */
export interface Part {
  readonly name: string;
  readonly step: Step;
  /** How `toolwright approve` answers the call. */
  readonly answer?: "grant" | "deny";
  /** Returns what is wrong with the result that the model received. */
  readonly check: (result: Result, folder: string) => string | undefined;
}

/** The marks of a text, each of which must be in the result exactly once. */
const MARKS = ["first line 8c1f", "last line e07b"];
export const NOTES = `${MARKS[0]}\n${"between\n".repeat(20)}${MARKS[1]}\n`;
export const REASON = "not on a Monday";
/** Rows that a server sends as text and as structured content: more than the limit of the gateway's own tools. */
const ROWS = Array.from({ length: 500 }, (_, index) => ({ id: `row-${index}-`, name: `Name ${index}` }));
const FAILURE = `Traceback (most recent call last):\n${'  File "a.py", line 1\n'.repeat(10)}ValueError: the real reason`;

/** The call of a server behind the gateway that returns the given result. */
function answering(result: JsonObject): Step {
  return { tool: "raw__answer", input: () => ({ result }) };
}

export const PARTS: readonly Part[] = [
  {
    name: "read a file",
    step: { tool: "read_file", input: () => ({ path: "notes.txt" }) },
    check: ({ text }) => firstOf(MARKS.map((mark) => once(text, mark))),
  },
  {
    name: "long output",
    step: { tool: "shell", input: () => ({ command: "seq -f 'line %g.' 1 5000" }) },
    check: ({ text }) =>
      firstOf([once(text, "line 5000."), idIn(text) === undefined && "no notice with an id"]),
  },
  {
    name: "its omitted part",
    step: {
      tool: "read_artifact",
      input: ({ results }) => ({ id: idIn(results.at(-1)?.text ?? "") ?? "", pattern: "line 2500\\." }),
    },
    check: ({ text }) => once(text, "line 2500."),
  },
  {
    name: "structured rows",
    step: answering({
      content: [{ type: "text", text: JSON.stringify({ rows: ROWS }) }],
      structuredContent: { rows: ROWS },
    }),
    // Some clients show both forms to their model, and repeat errors.
    check: ({ text }) => firstOf(["row-0-", "row-250-", "row-499-"].map((mark) => has(text, mark))),
  },
  {
    name: "error",
    step: answering({ isError: true, content: [{ type: "text", text: FAILURE }] }),
    check: ({ text }) => firstOf([has(text, "Traceback"), has(text, "ValueError: the real reason")]),
  },
  {
    name: "image",
    step: { tool: "read_file", input: () => ({ path: "pixel.png" }) },
    check: ({ images }) => (images === 1 ? undefined : `${images} images`),
  },
  {
    name: "approval granted",
    step: { tool: "write_file", input: () => ({ path: "granted.txt", content: "granted" }) },
    answer: "grant",
    check: ({ text }, folder) =>
      firstOf([
        !text.includes("granted.txt") && "no answer",
        !existsSync(join(folder, "granted.txt")) && "nothing was written",
      ]),
  },
  {
    name: "approval denied",
    step: { tool: "write_file", input: () => ({ path: "denied.txt", content: "denied" }) },
    answer: "deny",
    check: ({ text }, folder) =>
      firstOf([has(text, REASON), existsSync(join(folder, "denied.txt")) && "the file was written"]),
  },
];

/** The call that is cancelled; it stores its process id in a file. */
export const CANCELLED: Part = {
  name: "cancel",
  step: { tool: "shell", input: () => ({ command: "echo $$ > pid.txt && exec sleep 3600" }) },
  answer: "grant",
  check: () => undefined,
};

/** Returns what is wrong with the list of tools. */
export function checkTools({ tools }: Received): string | undefined {
  const wanted = [...PARTS, CANCELLED].map(({ step }) => step.tool);
  const missing = wanted.filter((tool) => !tools.some((name) => isNameOf(name, tool)));
  return missing.length === 0 ? undefined : `not listed: ${missing.join(", ")}`;
}

/** Returns the id of the process that the cancelled call runs, once it has started. */
export function startedPid(folder: string): number | undefined {
  const file = join(folder, "pid.txt");
  return existsSync(file) ? Number(readFileSync(file, "utf8")) || undefined : undefined;
}

function idIn(text: string): string | undefined {
  return /\bart_\w+/.exec(text)?.[0];
}

function has(text: string, mark: string): string | undefined {
  return text.includes(mark) ? undefined : `no ${JSON.stringify(mark)}`;
}

function once(text: string, mark: string): string | undefined {
  const count = text.split(mark).length - 1;
  return count === 1 ? undefined : `${JSON.stringify(mark)} ${count} times`;
}

function firstOf(problems: readonly (string | false | undefined)[]): string | undefined {
  return problems.find((one): one is string => typeof one === "string");
}
