import { ToolError } from "../../core/errors.ts";
import { isObject } from "../../core/json.ts";
import type { Mode } from "../../core/policy.ts";
import { MODES } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";
import { parseGlob } from "../match/glob.ts";
import { nearNames } from "../../util/text/near-names.ts";

/** What a `policy.json` says. */
export interface PolicyFile {
  readonly mode?: Mode;
  readonly rules: readonly Rule[];
}

const FILE_KEYS: readonly string[] = ["mode", "rules", "$schema"];
const MAX_RULES = 1000;
const DECISIONS: ReadonlySet<unknown> = new Set(["allow", "ask", "deny"]);

interface Key {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const TEXT: Key = { expected: "a text", accepts: isText };
const TEXTS: Key = { expected: "a text or a list of texts", accepts: isTextOrTexts };
const EXAMPLES: Key = {
  expected: 'a list of examples: texts, or objects such as {"tool": "read_file", "input": {"path": "a"}}',
  accepts: (value) => Array.isArray(value) && value.every((one) => isText(one) || isExample(one)),
};

/** Every key of a rule, and what it may be. */
const RULE_KEYS: Readonly<Record<keyof Rule, Key>> = {
  id: TEXT,
  tool: TEXTS,
  source: TEXT,
  group: TEXT,
  path: TEXTS,
  access: { expected: '"read" or "write"', accepts: (value) => value === "read" || value === "write" },
  command: { expected: 'a list of tokens such as ["git", "diff"]', accepts: isTexts },
  exact: { expected: "true or false", accepts: (value) => typeof value === "boolean" },
  domain: TEXTS,
  input: { expected: "an object of parameters", accepts: isObject },
  decision: { expected: '"allow", "ask" or "deny"', accepts: (value) => DECISIONS.has(value) },
  reason: TEXT,
  match: EXAMPLES,
  not_match: EXAMPLES,
};

/** Reads the text of a policy file. Throws one `INVALID_INPUT` that names the file and the place on anything it does not know. */
export function parsePolicyFile(text: string, name: string): PolicyFile {
  const file = parseJson(text, name);
  if (!isObject(file)) throw invalid(`${name}: it must be one JSON object: {"rules": […]}`);
  checkKeys(file, FILE_KEYS, name, "a policy file");
  const mode = MODES.find((one) => one === file["mode"]);
  if (file["mode"] !== undefined && mode === undefined) {
    throw invalid(`${name}: mode must be ${MODES.join(", ")}, it is ${shown(file["mode"])}`);
  }
  const rules = file["rules"] ?? [];
  if (!Array.isArray(rules)) throw invalid(`${name}: rules must be a list, it is ${shown(rules)}`);
  if (rules.length > MAX_RULES) throw invalid(`${name}: it has more than ${MAX_RULES} rules`);
  const parsed = rules.map((rule: unknown, index) => parseRule(rule, `${name}: rules[${index}]`));
  checkIds(parsed, name);
  return mode === undefined ? { rules: parsed } : { mode, rules: parsed };
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\u{feff}/u, ""));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolError("INVALID_INPUT", `${name}: it is not valid JSON: ${why}`, {
      hint: "JSON has no comments and no comma after the last item",
      cause: error,
    });
  }
}

function parseRule(rule: unknown, place: string): Rule {
  if (!isObject(rule)) throw invalid(`${place} must be an object, it is ${shown(rule)}`);
  const known = Object.keys(RULE_KEYS) as (keyof Rule)[];
  checkKeys(rule, known, place, "a rule");
  for (const key of known) {
    const { expected, accepts } = RULE_KEYS[key];
    if (!Object.hasOwn(rule, key)) continue;
    if (!accepts(rule[key])) throw invalid(`${place}.${key} must be ${expected}, it is ${shown(rule[key])}`);
  }
  if (!Object.hasOwn(rule, "decision")) throw invalid(`${place}.decision is missing: allow, ask or deny`);
  const checked = rule as unknown as Rule;
  checkPaths(checked, place);
  return checked;
}

function checkPaths({ path = [] }: Rule, place: string): void {
  for (const pattern of typeof path === "string" ? [path] : path) {
    try {
      parseGlob(pattern);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ToolError(
        "INVALID_INPUT",
        `${place}.path: ${JSON.stringify(pattern)} is no pattern: ${why}`,
        {
          cause: error,
        },
      );
    }
  }
}

function checkKeys(object: object, known: readonly string[], place: string, what: string): void {
  const unknown = Object.keys(object).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const [near] = nearNames(unknown, known, 1);
  throw new ToolError("INVALID_INPUT", `${place}: ${JSON.stringify(unknown)} is not a key of ${what}`, {
    hint: near === undefined ? `keys: ${known.join(", ")}` : `did you mean ${near}?`,
  });
}

function checkIds(rules: readonly Rule[], name: string): void {
  const places = new Map<string, number>();
  for (const [index, { id }] of rules.entries()) {
    if (id === undefined) continue;
    const taken = places.get(id);
    if (taken !== undefined) throw invalid(`${name}: rules[${index}].id is taken by rules[${taken}]`);
    places.set(id, index);
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

function isTextOrTexts(value: unknown): boolean {
  return isText(value) || isTexts(value);
}

function isExample(value: unknown): boolean {
  if (!isObject(value) || !isObject(value["input"])) return false;
  const { tool, input: _input, ...others } = value;
  return (tool === undefined || isText(tool)) && Object.keys(others).length === 0;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function invalid(message: string): ToolError {
  return new ToolError("INVALID_INPUT", message);
}
