import { createTextReader, type TextReader } from "toolwright/models";
import { median, type Row } from "./measure.ts";

const ROUNDS = 9;
/** The size of chunks, as in a provider's stream. */
const PART = 4096;
const PROSE =
  "The function reads the file and returns its lines; where it does not exist, an error says so (see below).\n".repeat(
    12,
  );
const CODE =
  '```ts\nconst names: Array<string> = rows.map((row) => row[0] < 5 ? { name: row[1] } : {});\nif (a < b && c > d) return `<div class="x">${names}</div>`;\n```\n';
const FILE = 'export const value = "one";\n'.repeat(30);
const CONTENT = JSON.stringify({ name: "write_file", arguments: { path: "src/index.ts", content: FILE } });

const CASES = [
  { what: "text without calls", target: 100, text: PROSE + CODE },
  { what: "text with calls as JSON", target: 20, text: `${PROSE}<tool_call>\n${CONTENT}\n</tool_call>\n` },
  {
    what: "text with calls as markup",
    target: 20,
    text: `${PROSE}<function=write_file>\n<parameter=path>src/index.ts</parameter>\n<parameter=content>\n${FILE}</parameter>\n</function>\n`,
  },
] as const;

/** Measures how fast calls are found in the text of a model, in any dialect. */
export function benchTextCalls(): readonly Row[] {
  return CASES.map(({ what, target, text }) => {
    const whole = text.repeat(Math.ceil(4_000_000 / text.length));
    read(whole);
    const rates = Array.from({ length: ROUNDS }, () => read(whole));
    const rate = median(rates);
    return {
      what: `${what}, dialect auto`,
      figure: `${rate.toFixed(0)} MB/s`,
      against: "",
      target: `${target} MB/s`,
      isReached: rate >= target,
    };
  });
}

/** Returns megabytes per second. */
function read(text: string): number {
  const reader: TextReader = createTextReader({ dialect: "auto" });
  const startedAt = performance.now();
  for (let at = 0; at < text.length; at += PART) reader.push(text.slice(at, at + PART));
  reader.end("stop");
  return text.length / 1000 / (performance.now() - startedAt);
}
