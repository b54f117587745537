import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path/posix";
import { declarationOf, exportsOf, type Declaration, type Exported } from "./declarations.ts";
import { SHARED_MEMBERS_SECTION } from "./shared-members.ts";

const ROOT = "src/index.ts";
const DOORS = [ROOT, ...globSync("src/doors/*.ts").sort()];

interface Documented extends Exported {
  readonly declaration: Declaration;
}

interface ShownDeclaration extends Documented {
  readonly door: string;
  readonly isExported: boolean;
}

/** Returns the pages of the API reference by file, as they must be. */
export function apiPages(): ReadonlyMap<string, string> {
  const examples = readExamples();
  const pages = new Map(
    DOORS.map((door) => [pageOf(door), renderDoor(doorName(door), documentedOf(door), examples)]),
  );
  const links = DOORS.map((door) => `- [${doorName(door)}](${basename(pageOf(door))})`);
  return pages.set("docs/api/README.md", `${[TITLE, ...links].join("\n")}\n\n${SHARED_MEMBERS_SECTION}`);
}

const TITLE = `# API reference

Generated from the types by \`npm run docs\`; \`npm run check\` fails if it is out of date. [library.md](../library.md) explains the library task by task.
`;

/** Returns the public declarations, each under its door and name. */
export function publicDeclarations(): readonly { readonly name: string; readonly code: string }[] {
  return DOORS.flatMap((door) =>
    documentedOf(door).map(({ name, declaration: { code } }) => ({
      name: `${doorName(door)}: ${name}`,
      code,
    })),
  );
}

/** Returns what each page shows: the exports of a door, and the types shown with them. */
export function shownDeclarations(): readonly ShownDeclaration[] {
  return DOORS.flatMap((door) => {
    const about = { door: doorName(door) };
    return documentedOf(door).flatMap((one) => [
      { ...one, ...about, isExported: true },
      ...typesShownWith(one).map((other) => ({ ...other, ...about, isExported: false })),
    ]);
  });
}

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
  const entries = documented.map((one) => {
    const { name, declaration } = one;
    const { comment } = declaration;
    const code = [withValues(one), ...typesShownWith(one).map(toShown)].join("\n\n");
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

/** Returns the declarations of types that only this one needs, and that no door exports, with those that they need. */
function typesShownWith(
  { file, name: user, declaration }: Documented,
  seen = new Set<string>([user]),
): readonly Documented[] {
  exported ??= new Set([...DOORS.flatMap(exportsOf).map(({ name }) => name), ...COMPUTED]);
  const known = exported;
  return mentionedBy({ file, declaration }).flatMap((name) => {
    if (known.has(name) || seen.has(name)) return [];
    seen.add(name);
    const from = fileOf(name, file);
    const one = { name, isType: true, file: from, declaration: declarationOf(from, name) };
    return [one, ...typesShownWith(one, seen)];
  });
}

function toShown(one: Documented): string {
  const { comment } = one.declaration;
  return comment === "" ? withValues(one) : `/** ${comment} */\n${withValues(one)}`;
}

/** Returns the code with the values, `"a" | "b"`, in place of `(typeof LIST)[number]` and of `keyof typeof TABLE`. */
function withValues({ file, declaration: { code } }: Documented): string {
  const keyed = code.replace(/(?<== )keyof typeof (\w+)$/, (whole, table: string) => {
    const source = readFileSync(fileOf(table, file), "utf8");
    const [, rows = ""] = new RegExp(String.raw`const ${table} = \{\n([^]*?)\n\}`).exec(source) ?? [];
    const names = [...rows.matchAll(/^ {2}(?:"([^"]+)"|(\w+)):/gm)].map(([, quoted, name]) => quoted ?? name);
    return names.length === 0 ? whole : names.map((name) => JSON.stringify(name)).join(" | ");
  });
  return keyed.replaceAll(/\(typeof (\w+)\)\[number\]/g, (whole, list: string) => {
    const source = readFileSync(fileOf(list, file), "utf8");
    const [, values] = new RegExp(String.raw`const ${list} = \[([^\]]*)\] as const`).exec(source) ?? [];
    return values?.match(/"[^"]*"/g)?.join(" | ") ?? whole;
  });
}

let exported: ReadonlySet<string> | undefined;

/** Returns the file that declares a name which another file has. */
function fileOf(name: string, file: string): string {
  const source = readFileSync(file, "utf8");
  for (const [, names = "", path = ""] of source.matchAll(/import (?:type )?\{([^}]*)\} from "(\.[^"]*)"/g))
    if (names.split(",").some((one) => one.replace("type ", "").trim() === name))
      return join(dirname(file), path);
  return file;
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
  return [...stale, ...lonely, ...wrongTypes(), ...shadowedGlobals()];
}

/** Helpers that compute a type from others; what they yield is exported. */
const COMPUTED =
  "Behaviour Defaulted Fields FromJsonSchema GivenOf GivenShape Optional OptionalSpec Returned SharedOptions TABLE ToJson UntypedDefinition".split(
    " ",
  );

/** What a program passes to an engine and gets of it: the types that these name are exported. */
const FRONT: ReadonlySet<string> = new Set(["EngineOptions", "HostOptions", "Engine", "Tool", "ToolSpec"]);

/**
 * Returns a fault for each type of this project that should be exported and is not, and for each type that should not be. A door exports
 * the types in the signatures of its functions and constants, those that the front types name, and those that several exported types share.
 * The root door exports no others, unless an example or a guide imports them: a type that only one other type needs is reached through its
 * member, `Rule["match"]`, and shown with it.
 */
function wrongTypes(): readonly string[] {
  const all = DOORS.flatMap((door) => documentedOf(door).map((one) => ({ ...one, door })));
  const known = new Set([...all.map(({ name }) => name), ...COMPUTED]);
  const users = new Map<string, Set<Documented>>();
  for (const one of all)
    for (const name of mentionedBy(one)) users.set(name, (users.get(name) ?? new Set<Documented>()).add(one));
  const isNeeded = (name: string): boolean => {
    const by = [...(users.get(name) ?? [])].filter((one) => one.name !== name);
    const names = new Set(by.map((one) => one.name));
    return by.some((one) => !one.isType || FRONT.has(one.name)) || names.size > 1;
  };
  const imported = importedNames();
  const hidden = [...users].flatMap(([name, by]) =>
    known.has(name) || !isNeeded(name)
      ? []
      : [`${[...by][0]?.file ?? ""}: several types or a function need ${name}, which no door exports`],
  );
  const needless = all
    .filter(
      ({ door, isType, name }) =>
        door === ROOT && isType && !FRONT.has(name) && !isNeeded(name) && !imported.has(name),
    )
    .map(({ name, door }) => `${door}: only a member of another type needs ${name}; do not export it`);
  return [...hidden, ...needless];
}

/** Returns a fault for each exported name that is a global of JavaScript or of browsers: imported by mistake or forgotten, it is the other. */
function shadowedGlobals(): readonly string[] {
  const libraries = globSync("node_modules/@typescript/*/lib/lib.{dom,es5}.d.ts");
  const declared = libraries.flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/^(?:declare (?:var|function)|interface|type) (\w+)/gm),
  ]);
  const globals = new Set(declared.map(([, name = ""]) => name));
  if (globals.size === 0) return ["scripts/docs/api-pages.ts: the libraries of TypeScript were not found"];
  return DOORS.flatMap((door) =>
    exportsOf(door)
      .filter(({ name }) => globals.has(name))
      .map(({ name }) => `${door}: ${name} hides the global of this name; give it a prefix`),
  );
}

/** Returns the types of the project that the declaration of an exported name mentions. */
function mentionedBy({
  file,
  declaration: { code },
}: Pick<Documented, "file" | "declaration">): readonly string[] {
  const own = namesDeclaredFor(file);
  const names = new Set(code.replaceAll(/\/\*[\s\S]*?\*\/|"[^"]*"/g, "").match(/\b[A-Z]\w*\b/g) ?? []);
  return [...names].filter((name) => own.has(name));
}

/** Returns the names that examples, templates and guides import from the package. */
function importedNames(): ReadonlySet<string> {
  const files = globSync(["examples/**/*.ts", "templates/**/*.{ts,js,mjs}", "docs/*.md", "README.md"]);
  return new Set(
    files.flatMap((file) =>
      [
        ...readFileSync(file, "utf8").matchAll(/import (?:type )?\{([^}]*)\} from "toolwright[^"]*"/g),
      ].flatMap(([, names = ""]) => names.split(",").map((name) => name.replace("type ", "").trim())),
    ),
  );
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
