import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import type { Tool } from "../../src/core/tool.ts";
import { DEFAULT_CUTS } from "../../src/core/cuts.ts";
import { NO_SKILLS } from "../../src/core/skills.ts";
import { agentTools } from "../../src/tools/agents/family.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { sessionTools } from "../../src/tools/session/family.ts";
import { compareLines, replaceRows, rowsOf, sectionsOf, type Page } from "./page.ts";

/** Each tool that is shipped has a section of its own that says exactly what the tool says; so do the tables of tools and cuts. */
export function checkToolsPage(page: Page): readonly string[] {
  const tools = shippedTools();
  const sections = new Map(sectionsOf(page, 3).map(({ title, lines }) => [title, lines]));
  const titles = new Set(tools.map(({ name }) => `\`${name}\``));
  return [
    ...tools.flatMap((tool) => checkTool(page.file, tool, sections.get(`\`${tool.name}\``))),
    ...[...sections.keys()]
      .filter((title) => !titles.has(title))
      .map((title) => `${page.file}: there is no tool ${title}`),
    ...compareLines(
      page.file,
      [...tools.map(overviewRow), ...cutRows()],
      rowsOf(page.lines).filter((row) => isOverviewRow(row) || isCutRow(row)),
    ),
  ];
}

/** Returns the lines of the page with both tables and the section of each tool that has a heading. */
export function writeToolsPage(page: Page): readonly string[] {
  const tools = shippedTools();
  let lines = replaceRows(page.lines, isOverviewRow, tools.map(overviewRow));
  lines = replaceRows(lines, isCutRow, cutRows());
  for (const tool of tools) {
    const start = lines.indexOf(`### \`${tool.name}\``);
    if (start < 0) continue;
    const length = lines.slice(start + 1).findIndex((line) => line.startsWith("#"));
    const end = length < 0 ? lines.length : start + 1 + length;
    lines = [...lines.slice(0, start + 1), "", ...spaced(toolSection(tool)), "", ...lines.slice(end)];
  }
  return lines;
}

function shippedTools(): readonly Tool[] {
  return [
    ...builtInTools({ root: "/", environment: {} }),
    ...sessionTools({ skills: NO_SKILLS, dumpsFolder: "/" }),
    ...agentTools(),
  ];
}

function isOverviewRow(line: string): boolean {
  return line.startsWith("| [`");
}

function isCutRow(line: string): boolean {
  return /^\| (?:text|file|list|matches|log) /.test(line);
}

/** Puts an empty line between paragraphs, and none inside a table. */
function spaced(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, index) =>
    index > 0 && !lines[index - 1]?.startsWith("|") ? ["", line] : [line],
  );
}

function checkTool(file: string, tool: Tool, section: readonly string[] | undefined): readonly string[] {
  if (section === undefined) return [`${file}: the tool \`${tool.name}\` has no section`];
  const rows = section.filter((line) => line !== "");
  return compareLines(`${file}, \`${tool.name}\``, toolSection(tool), rows);
}

function overviewRow({ name, risk, place, group = "–", effects, limits }: Tool): string {
  return `| [\`${name}\`](#${name}) | ${risk} | ${place} | ${group} | ${effects} | ${limits?.shape ?? "text"} |`;
}

/** How each shape is cut, unless the engine is told otherwise. */
function cutRows(): readonly string[] {
  return Object.entries(DEFAULT_CUTS).map(([shape, { over, keep }]) => {
    const isCount = shape === "list" || shape === "matches";
    const size = (value: number): string => (isCount ? `${value} items` : `${value / 1024} KB`);
    return `| ${shape} | ${size(over)} | the ${shape === "log" ? "last" : "first"} ${size(keep)} |`;
  });
}

/** The section of a tool, without its empty lines. */
function toolSection(tool: Tool): readonly string[] {
  const names = (tool.aliases ?? []).map((alias) => {
    if (typeof alias === "string") return `\`${alias}\``;
    const renames = Object.entries(alias.parameters ?? {}).map(([from, to]) => `\`${from}\` → \`${to}\``);
    return `\`${alias.name}\`${renames.length > 0 ? ` (${renames.join(", ")})` : ""}`;
  });
  const { properties } = tool.input;
  return [
    `> ${escaped(tool.description)}`,
    ...(names.length > 0 ? [`Also answers to ${names.join(", ")}.`] : []),
    "| parameter | is | default | also | meaning |",
    "|---|---|---|---|---|",
    ...Object.entries(isObject(properties) ? properties : {}).map((entry) => parameterRow(tool, entry)),
  ];
}

function parameterRow(tool: Tool, [name, schema]: readonly [string, Json]): string {
  const parameter = isObject(schema) ? schema : {};
  const { description, default: fallback } = parameter;
  const aliases = Object.entries(tool.parameterAliases ?? {}).filter(([, target]) => target === name);
  const isRequired = Array.isArray(tool.input["required"]) && tool.input["required"].includes(name);
  const cells = [
    `\`${name}\`${isRequired ? " *" : ""}`,
    kindOf(parameter),
    fallback === undefined ? "" : `\`${JSON.stringify(fallback)}\``,
    aliases.map(([alias]) => `\`${alias}\``).join(", "),
    typeof description === "string" ? escaped(description) : "",
  ];
  return `| ${cells.join(" | ")} |`.replaceAll(/ {2,}/g, " ");
}

function kindOf({ type, enum: words, minimum, maximum, items }: JsonObject): string {
  if (Array.isArray(words)) return words.map((word) => `\`${String(word)}\``).join(" or ");
  if (type === "array") return `list of ${isObject(items) ? kindOf(items) : "anything"}`;
  const kind = typeof type === "string" ? type : "anything";
  if (minimum === undefined && maximum === undefined) return kind;
  if (maximum === undefined) return `${kind} from ${JSON.stringify(minimum)}`;
  return `${kind} from ${JSON.stringify(minimum ?? null)} to ${JSON.stringify(maximum)}`;
}

/** Text as Markdown shows it. */
function escaped(text: string): string {
  return text.replaceAll(/[*|<]/g, String.raw`\$&`);
}
