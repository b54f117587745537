// Damages real calls of the public cases in `../shared/data` in every way and dialect, reads them, and writes the counts into docs/dialects.md.
// `node scripts/damaged-calls.ts SEED COUNT`: COUNT calls for each kind and dialect. Ends with 1 if a call would run with other arguments.
import { readFileSync, writeFileSync } from "node:fs";
import { KIND_NAMES } from "../test/support/damage/kinds.ts";
import { measureDamage, type Counts } from "../test/support/damage/measure.ts";

const [seed = 48, count = 20] = process.argv.slice(2).map(Number);
const table = measureDamage(seed, count);
const row = (
  name: string,
  { tried, single, recovered, recoveredMore, refused, text, wrong }: Counts,
): string => `| ${name} | ${[tried, single, recovered, recoveredMore, refused + text, wrong].join(" | ")} |`;
const total = KIND_NAMES.map((kind) => table[kind]).reduce(
  (sum, one) =>
    Object.fromEntries(
      Object.entries(sum).map(([key, value]) => [key, value + one[key as keyof Counts]]),
    ) as unknown as Counts,
);
const lines = [
  `Seed ${seed}, at most ${count} calls for each kind and dialect, each read in its dialect:`,
  "",
  "| damage | tried | one reading | of these recovered | others recovered | refused | wrong |",
  "|---|---|---|---|---|---|---|",
  ...KIND_NAMES.map((kind) => row(kind, table[kind])),
  row("**all**", total),
  "",
  `${((total.recovered / total.single) * 100).toFixed(1)} % of the texts with one reading are recovered, and ${total.wrong} run with other arguments.`,
];
const page = readFileSync("docs/dialects.md", "utf8");
const [open, close] = ["<!-- damaged calls -->", "<!-- /damaged calls -->"];
const [before = "", rest = ""] = page.split(open);
writeFileSync(
  "docs/dialects.md",
  `${before}${open}\n\n${lines.join("\n")}\n\n${close}${rest.split(close)[1] ?? ""}`,
);
console.log(lines.at(-1));
process.exitCode = total.wrong > 0 ? 1 : 0;
