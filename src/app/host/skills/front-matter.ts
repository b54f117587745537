import { defined } from "../../../util/json/defined.ts";
import { isObject } from "../../../core/json.ts";
import type { Skill } from "../../../core/skills.ts";
import type { SourceProblem } from "../../../core/source.ts";
import { parsePlainYaml } from "../../config/files/yaml.ts";

/** The front matter of a SKILL.md. */
export type FrontMatter = Pick<Skill, "name" | "description" | "groups" | "tools">;

/** Why something cannot be used. */
export type Trouble = Pick<SourceProblem, "reason" | "message" | "hint">;

export type ParsedSkill =
  | { readonly head: FrontMatter; readonly body: string }
  | { readonly trouble: Trouble };

/** The argument that lists skills instead of loading one. */
const RESERVED = "list";
const MAX_DESCRIPTION = 1024;
const MAX_HEAD = 16 * 1024;
const HEAD = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/m;

/** Parses a SKILL.md: YAML between two lines of three dashes, then the text. Never throws, and runs nothing. */
export async function parseSkill(text: string): Promise<ParsedSkill> {
  const headMatch = HEAD.exec(text);
  if (headMatch?.index !== 0) {
    const hint = "begin it with ---, name, description, and --- again";
    return trouble("it does not begin with front matter", hint);
  }
  const [whole, yaml = ""] = headMatch;
  if (yaml.length > MAX_HEAD) return trouble(`its front matter is over ${MAX_HEAD / 1024} KB`);
  const parsed = await parsePlainYaml(yaml);
  if ("fault" in parsed) return trouble(`its front matter is not plain YAML: ${parsed.fault}`);
  const head = readHead(parsed.value);
  return "trouble" in head ? head : { head, body: text.slice(whole.length).trim() };
}

function readHead(value: unknown): FrontMatter | { readonly trouble: Trouble } {
  if (!isObject(value)) return trouble("its front matter is not a list of names and values");
  const { name, description, groups, tools, "allowed-tools": allowed } = value;
  if (typeof name !== "string") return trouble("its front matter has no name");
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name) || name === RESERVED) return badName(name);
  if (typeof description !== "string" || description.trim() === "")
    return trouble("its front matter has no description");
  if (description.length > MAX_DESCRIPTION)
    return trouble(`its description is over ${MAX_DESCRIPTION} characters`);
  const [groupNames, toolNames] = [wordsOf(groups), wordsOf(tools ?? allowed)];
  if (groupNames === undefined) return trouble("groups must be a list of names");
  if (toolNames === undefined) return trouble("tools must be a list of names");
  return { name, description: description.trim(), groups: groupNames, tools: toolNames };
}

/** A list, or one text with commas or spaces between the names. */
function wordsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  const words: unknown = typeof value === "string" ? value.split(/[\s,]+/).filter(Boolean) : value;
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) return undefined;
  return [...new Set(words)];
}

function badName(name: string): { readonly trouble: Trouble } {
  return {
    trouble: {
      reason: "bad_name",
      message: `${JSON.stringify(name)} cannot be a skill's name`,
      hint: `up to 64 letters, digits, dots, dashes and underscores, and not "${RESERVED}"`,
    },
  };
}

function trouble(message: string, hint?: string): { readonly trouble: Trouble } {
  return { trouble: { reason: "bad_schema", message, ...defined({ hint }) } };
}
