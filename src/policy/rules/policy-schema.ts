import type { JsonObject } from "../../core/json.ts";
import { MODES } from "../../core/policy.ts";
import { DECISIONS } from "../../core/rule.ts";
import {
  boolean,
  integer,
  list,
  object,
  oneOf,
  optional,
  string,
  type Schema,
} from "../../schema/define/schema.ts";

const MAX_RULES = 1000;

const text = (description?: string): Schema<string> => string(description, { min: 1 });

const texts = (description: string): Schema<string | readonly string[]> =>
  oneOf([text(), list(text(), undefined, { min: 1 })], description);

const jsonObject = (description: string): Schema<JsonObject> => ({ type: "object", description });

const EXAMPLE = oneOf([
  text(),
  object({ tool: optional(text()), input: jsonObject("The input of the call") }),
]);

const NAMES = optional(list(text(), "Names", { min: 1 }));
const PEOPLE = { people: NAMES, groups: NAMES, roles: NAMES };

const RULE = object({
  id: optional(text("The name of the rule in verdicts; default: its file and index")),
  tool: optional(texts("Tool names; * matches any part of a name")),
  source: optional(text("The source of the tool; an MCP server is mcp:NAME")),
  group: optional(text("The group of the tool")),
  path: optional(
    texts("Globs over canonical paths; ~/ is the home folder, relative ones are in the workspace"),
  ),
  access: optional(oneOf(["read", "write"], "With path: only this kind of access")),
  command: optional(list(text(), 'The tokens of one simple command, such as ["git", "diff"]', { min: 1 })),
  folder: optional(text("With command, in a rule that allows: the absolute path in which it must run")),
  exact: optional(
    boolean("With command: nothing may follow the tokens; with input: no other parameter may be given"),
  ),
  domain: optional(texts("Hosts; *.example.com matches every subdomain")),
  input: optional(jsonObject("Parameters that must have exactly these values")),
  who: optional(object(PEOPLE, "Calls of these people match")),
  except: optional(object(PEOPLE, "Calls of these people do not match")),
  approvers: optional(
    object(
      {
        ...PEOPLE,
        count: optional(integer("How many of them; default: 1", { min: 1, max: 10 })),
        notSelf: optional(boolean("The caller is not one of them")),
      },
      "In a rule that asks: who approves each call",
    ),
  ),
  afterUntrustedText: optional(
    boolean("In a rule that allows: it also allows sending data after text from outside entered the session"),
  ),
  decision: oneOf(DECISIONS),
  reason: optional(text("Shown in verdicts")),
  match: optional(list(EXAMPLE, "Calls that the rule must match; checked when the file is read")),
  not_match: optional(list(EXAMPLE, "Calls that the rule must not match; checked when the file is read")),
});

const RULES = list(RULE, "The strictest rule that matches decides", { max: MAX_RULES });

/** The JSON Schema of a ceiling, which a program passes with a call. */
export const CEILING_SCHEMA = object({
  mode: optional(oneOf(MODES)),
  tools: optional(list(text())),
  rules: optional(RULES),
});

/** The JSON Schema of a policy file. */
export const POLICY_SCHEMA = object(
  {
    $schema: optional(string()),
    mode: optional(oneOf(MODES, "The approval mode")),
    rules: optional(RULES),
  },
  "Rules that decide which tool calls are allowed, need approval or are denied",
);
