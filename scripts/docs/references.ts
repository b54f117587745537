import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, readPage, withoutCode, type Page } from "./page.ts";

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;
/** A file of this repository, named in code. */
const NAMED_FILE = /`((?:src|test|scripts|examples|docs|bench|bin)\/[\w./-]+\.\w+)`/g;

/** A file or a folder, named in code in the README of a folder. */
const NAMED_ENTRY = /`([\w@.-]+(?:\/[\w@.-]+)*(?:\.tsx?|\/))`/g;

/** Every file and folder that the README of a folder names exists there, below `src` or at the root. */
export function checkNames(page: Page): readonly string[] {
  const places = [dirname(page.file), "src", "."];
  return [...proseOf(page).matchAll(NAMED_ENTRY)]
    .map(([, name = ""]) => name)
    .filter((name) => !places.some((place) => existsSync(join(place, name))))
    .map((name) => `${page.file}: names ${name}, which does not exist`);
}

/** Every relative link leads to a file, and to a heading where it names one; every file that is named in code exists. */
export function checkReferences(page: Page): readonly string[] {
  const named = [...proseOf(page).matchAll(NAMED_FILE)].map(([, file = ""]) => file);
  return [
    ...checkLinks(page),
    ...named
      .filter((file) => !existsSync(file))
      .map((file) => `${page.file}: names ${file}, which does not exist`),
  ];
}

/** Every relative link leads to a file, and to a heading where it names one. */
export function checkLinks(page: Page): readonly string[] {
  return [...proseOf(page).matchAll(LINK)].flatMap(([, target = ""]) => checkLink(page, target));
}

function proseOf({ lines }: Page): string {
  return withoutCode(lines)
    .map(({ shown }) => shown)
    .join("\n");
}

function checkLink({ file }: Page, target: string): readonly string[] {
  if (/^[a-z]+:/.test(target)) return [];
  const [path = "", fragment] = target.split("#");
  const linked = path === "" ? file : join(dirname(file), decodeURIComponent(path));
  if (!existsSync(linked)) return [`${file}: the link to ${target} leads nowhere`];
  if (fragment === undefined || !linked.endsWith(".md")) return [];
  const anchors = withoutCode(readPage(linked).lines).map(({ shown }) => anchorOf(shown));
  return anchors.includes(fragment) ? [] : [`${file}: the link to ${target} names no heading there`];
}

/** The name under which GitHub shows a heading. */
function anchorOf(line: string): string | undefined {
  const [, title] = /^#+ (.*)$/.exec(line) ?? [];
  return title
    ?.toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

/** Every block of TypeScript names the example it is taken from, and stands there line for line; `// …` stands for what was left out. */
export function checkSnippets(page: Page): readonly string[] {
  return codeOf(page).flatMap(({ words: [language, source = ""], lines }) => {
    if (language !== "ts") return [];
    if (!existsSync(source)) return [`${page.file}: a block of code names no example: ${lines[0] ?? ""}`];
    const example = readPage(source).lines.map((line) => line.trim());
    return chunksOf(lines)
      .filter((chunk) => !contains(example, chunk))
      .map((chunk) => `${page.file}: this is not in ${source}: ${chunk[0] ?? ""}`);
  });
}

function chunksOf(lines: readonly string[]): readonly (readonly string[])[] {
  const chunks: string[][] = [[]];
  for (const line of lines.map((one) => one.trim())) {
    if (line === "// …") chunks.push([]);
    else chunks.at(-1)?.push(line);
  }
  return chunks.map(trimmed).filter((chunk) => chunk.length > 0);
}

function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first < 0 ? [] : lines.slice(first, last + 1);
}

function contains(lines: readonly string[], chunk: readonly string[]): boolean {
  return lines.some((_, start) => chunk.every((line, index) => lines[start + index] === line));
}

/** Checks that a heading has a blank line before it: some renderers join it to a list or table above. */
export function checkHeadings({ file, lines }: Page): readonly string[] {
  let isCode = false;
  return lines.flatMap((line, index) => {
    if (line.startsWith("```")) isCode = !isCode;
    const isJoined = !isCode && index > 0 && /^#{1,6} /.test(line) && lines[index - 1] !== "";
    return isJoined ? [`${file}:${index + 1}: no blank line before "${line}"`] : [];
  });
}
