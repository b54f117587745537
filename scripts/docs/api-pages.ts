import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path/posix";
import { declarationOf, exportsOf, type Declaration, type Exported } from "./declarations.ts";

const DOORS = ["src/index.ts", ...globSync("src/doors/*.ts").sort()];

interface Documented extends Exported {
  readonly declaration: Declaration;
}

/** Returns the pages of the API reference by file, as they must be. */
export function apiPages(): ReadonlyMap<string, string> {
  const examples = readExamples();
  const pages = new Map(
    DOORS.map((door) => [pageOf(door), renderDoor(doorName(door), documentedOf(door), examples)]),
  );
  const links = DOORS.map((door) => `- [${doorName(door)}](${basename(pageOf(door))})`);
  return pages.set("docs/api/README.md", `${[TITLE, ...links].join("\n")}\n`);
}

const TITLE = `# API reference

Generated from the types by \`npm run docs\`; \`npm run check\` fails if it is out of date. [library.md](../library.md) explains the library task by task.
`;

function doorName(door: string): string {
  return door === "src/index.ts" ? "toolwright" : `toolwright/${basename(door, ".ts")}`;
}

function pageOf(door: string): string {
  return `docs/api/${doorName(door).replace("/", "-")}.md`;
}

function documentedOf(door: string): readonly Documented[] {
  return exportsOf(door)
    .map((one) => ({ ...one, declaration: declarationOf(one.file, one.name) }))
    .sort((a, b) => Number(a.isType) - Number(b.isType) || (a.name < b.name ? -1 : 1));
}

function renderDoor(
  door: string,
  documented: readonly Documented[],
  examples: readonly (readonly [string, string])[],
): string {
  const entries = documented.map(({ name, declaration: { comment, code } }) => {
    const [example] = examples.find(([, text]) => uses(text, name)) ?? [];
    const link = example === undefined ? [] : [`Example: [${example}](../../${example})`];
    return [
      `## ${name}`,
      ...(comment === "" ? [] : [comment]),
      `\`\`\`typescript\n${code}\n\`\`\``,
      ...link,
    ].join("\n\n");
  });
  return `${[`# ${door}`, ...entries].join("\n\n")}\n`;
}

function readExamples(): readonly (readonly [string, string])[] {
  return globSync(["examples/*.ts", "examples/*/*.ts"])
    .sort()
    .map((file) => [file, readFileSync(file, "utf8")] as const);
}

function uses(text: string, name: string): boolean {
  return (
    text.includes("toolwright") && new RegExp(String.raw`\b${name}\b`).test(text.replaceAll(/\/\/.*$/gm, ""))
  );
}

/** Returns a fault for each page that is missing or out of date, function without an example, and type that is not exported. */
export function checkApi(): readonly string[] {
  const stale = [...apiPages()].flatMap(([file, text]) =>
    globSync(file).length > 0 && readFileSync(file, "utf8") === text
      ? []
      : [`${file}: it is out of date: npm run docs`],
  );
  const examples = readExamples();
  const lonely = DOORS.flatMap((door) => documentedOf(door))
    .filter(
      ({ name, declaration: { kind } }) =>
        kind === "function" && !examples.some(([, text]) => uses(text, name)),
    )
    .map(({ name, file }) => `${file}: no example uses ${name}`);
  return [...stale, ...lonely, ...hiddenTypes()];
}

/** Helpers that compute a type from others; what they yield is exported. */
const COMPUTED =
  "Behaviour Defaulted Fields FromJsonSchema GivenOf GivenShape Optional OptionalSpec Returned SharedOptions TABLE ToJson UntypedDefinition".split(
    " ",
  );

/** Returns a fault for each type of this project that a public signature mentions and no door exports. */
function hiddenTypes(): readonly string[] {
  const documented = DOORS.flatMap((door) => documentedOf(door));
  const known = new Set([...documented.map(({ name }) => name), ...COMPUTED]);
  return documented.flatMap(({ name, file, declaration: { code } }) => {
    const own = namesDeclaredFor(file);
    const mentioned = new Set(code.replaceAll(/\/\*[\s\S]*?\*\/|"[^"]*"/g, "").match(/\b[A-Z]\w*\b/g) ?? []);
    return [...mentioned]
      .filter((one) => own.has(one) && !known.has(one))
      .map((one) => `${file}: ${name} mentions ${one}, which no door exports`);
  });
}

/** Returns the names that a file imports from the project, or declares at its top level. */
function namesDeclaredFor(file: string): ReadonlySet<string> {
  const source = readFileSync(file, "utf8");
  const imported = [...source.matchAll(/import (?:type )?\{([^}]*)\} from "\.[^"]*"/g)].flatMap(
    ([, names = ""]) => names.split(",").map((name) => name.replace("type ", "").trim()),
  );
  const declared = [...source.matchAll(/^(?:export )?(?:interface|type|class) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );
  return new Set([...imported, ...declared]);
}
