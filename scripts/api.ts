// Compares the public declarations with the accepted ones. Without arguments, fails if they differ; `major|minor|patch "what changed"` accepts them and writes
// the change to docs/api-changes.md. A level below the computed one needs `--compatible "why no program breaks"`.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  compareDeclarations,
  LEVELS,
  levelOf,
  withoutComments,
  type Change,
  type Declarations,
  type Level,
} from "./api/compare-declarations.ts";
import { publicDeclarations } from "./docs/api-pages.ts";

const ACCEPTED = "scripts/api/accepted.json";
const CHANGES = "docs/api-changes.md";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { compatible: { type: "string" } },
});
const [level, what] = positionals;
const current = Object.fromEntries(
  publicDeclarations().map(({ name, code }) => [name, withoutComments(code)]),
);
const accepted = JSON.parse(readFileSync(ACCEPTED, "utf8")) as Declarations;
const changes = compareDeclarations(accepted, current);

if (level === undefined) check();
else accept();

function check(): void {
  if (changes.length === 0) {
    console.log(`${Object.keys(current).length} public declarations, as accepted`);
    return;
  }
  for (const change of changes) console.log(describe(change));
  console.log(`The public API changed. Name it: npm run api -- ${levelOf(changes)} "what changed"`);
  process.exit(1);
}

function accept(): void {
  if (!isLevel(level) || what === undefined || what.trim() === "")
    stop('usage: npm run api -- major|minor|patch "what changed" [--compatible "why no program breaks"]');
  const needed = levelOf(changes);
  const isLower = LEVELS.indexOf(level) < LEVELS.indexOf(needed);
  if (isLower && values.compatible === undefined)
    stop(
      `${changes.map(describe).join("\n")}\nthese changes are ${needed}, not ${level}; if no program breaks, add --compatible "why"`,
    );
  const reason = isLower ? ` (compatible: ${values.compatible})` : "";
  const names = changes.map(({ name }) => `\`${name}\``).join(", ");
  const line = `- ${level}: ${what}${reason}${names === "" ? "" : `: ${names}`}\n`;
  const page = readFileSync(CHANGES, "utf8");
  const start = page.indexOf("\n- ");
  writeFileSync(
    CHANGES,
    start < 0 ? `${page}\n${line}` : `${page.slice(0, start + 1)}${line}${page.slice(start + 1)}`,
  );
  writeFileSync(ACCEPTED, `${JSON.stringify(current, null, 1)}\n`);
}

function isLevel(text: string | undefined): text is Level {
  return LEVELS.some((one) => one === text);
}

function describe({ name, level: needed, what: kind }: Change): string {
  return `${needed.padEnd(5)} ${kind} ${name}`;
}

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}
