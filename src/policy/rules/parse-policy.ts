import { ToolError } from "../../core/errors.ts";
import type { Mode } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";
import { createDocumentParser } from "../../schema/parse-document.ts";
import { defined } from "../../util/json/defined.ts";
import { listOf } from "../match/list-of.ts";
import { parseGlob } from "../match/glob.ts";
import { POLICY_SCHEMA } from "./policy-schema.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** The contents of a `policy.json`. */
export interface PolicyFile {
  readonly mode?: Mode;
  readonly rules: readonly Rule[];
}

let parser: ReturnType<typeof createDocumentParser<typeof POLICY_SCHEMA>> | undefined;

/** Parses the document of a policy file. Throws `INVALID_INPUT`, naming the file and the place, if it is invalid. */
export function parsePolicyFile(document: unknown, name: string): PolicyFile {
  parser ??= createDocumentParser(POLICY_SCHEMA, { defaults: false });
  const { mode, rules = [] } = parser(document, name);
  const places = new Map<string, number>();
  for (const [index, rule] of rules.entries()) {
    const { id, path } = rule;
    checkPaths(listOf(path ?? []), `${name}: rules[${index}].path`);
    checkPeople(rule, `${name}: rules[${index}]`);
    checkFolder(rule, `${name}: rules[${index}].folder`);
    if (id === undefined) continue;
    const taken = places.get(id);
    if (taken !== undefined) throw invalid(`${name}: rules[${index}].id: rules[${taken}] has the same id`);
    places.set(id, index);
  }
  return { rules, ...defined({ mode }) };
}

/** Throws on a folder that would have no effect: a rule must not look narrower than it is. */
function checkFolder({ folder, command, decision }: Rule, place: string): void {
  if (folder === undefined) return;
  if (command === undefined || decision !== "allow")
    throw invalid(`${place}: only a rule that allows a command can have a folder`);
  if (!folder.startsWith("/"))
    throw invalid(`${place}: expected an absolute path, got ${JSON.stringify(folder)}`);
}

/** Throws on people who would be nobody, or who could not approve: a rule must not look other than it is. */
function checkPeople({ who, except, approvers, decision }: Rule, place: string): void {
  for (const [key, people] of Object.entries({ who, except }))
    if (people !== undefined && Object.values(people).every((names) => names === undefined))
      throw invalid(`${place}.${key}: expected people, groups or roles`);
  if (approvers !== undefined && decision !== "ask")
    throw invalid(`${place}.approvers: only a rule that asks can name who approves`);
}

function checkPaths(patterns: readonly string[], place: string): void {
  for (const pattern of patterns) {
    try {
      parseGlob(pattern);
    } catch (error) {
      const why = `invalid pattern ${JSON.stringify(pattern)}: ${errorMessage(error)}`;
      throw invalid(`${place}: ${why}`, { cause: error });
    }
  }
}

function invalid(message: string, options?: ConstructorParameters<typeof ToolError>[2]): ToolError {
  return new ToolError("INVALID_INPUT", message, options);
}
