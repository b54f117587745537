import { ToolError } from "../../../core/errors.ts";
import type { HookPoint } from "../../../core/hook.ts";
import type { Risk } from "../../../core/spec.ts";
import {
  list,
  number,
  object,
  oneOf,
  optional,
  string,
  type Infer,
  type Schema,
} from "../../../schema/define/schema.ts";
import { defined } from "../../../util/json/defined.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { compileGlob } from "../../../util/text/glob-pattern.ts";
import type { HookAction, HookDefinition, HookMatch } from "./hook-definition.ts";
import { checkTemplate } from "./template.ts";

const POINT = oneOf([
  "before_tool",
  "after_tool",
  "tool_error",
  "session_start",
  "session_end",
  "file_changed",
] as const satisfies readonly HookPoint[]);
const RISK = oneOf(["low", "medium", "high"] as const satisfies readonly Risk[]);
/** Points at which there is something to refuse. */
const REFUSABLE: ReadonlySet<HookPoint> = new Set(["before_tool", "after_tool", "tool_error"]);

const text = (description: string): Schema<string> =>
  string(description, { pattern: "\\S", expected: "a text that is not blank" });
const some = <T>(item: Schema<T>, description: string): Schema<T | readonly T[]> =>
  oneOf([item, list(item, undefined, { min: 1 })], description);

const MATCH = object(
  {
    tool: optional(some(string(), "Tool names; * matches any part of a name")),
    path: optional(some(string(), "Globs over canonical paths; relative ones are in the workspace")),
    risk: optional(some(RISK, "The risk of the call")),
  },
  "Conditions, which must all hold; default: none",
);

const ACTION = oneOf([
  object({
    type: oneOf(["command"]),
    program: list(string(), 'The program and its arguments: ["node", "check.js"]', { min: 1 }),
  }),
  object({ type: oneOf(["askAgent"]), prompt: text("A prompt for the agent, with {{placeholders}}") }),
  object({ type: oneOf(["block"]), reason: text("Why the call is refused") }),
]);

const HOOK = object({
  name: string("The name of the hook", {
    pattern: "^[\\w.-]{1,64}$",
    expected: "a name of letters, digits, . _ and -, at most 64 characters",
  }),
  on: some(POINT, "The points at which it runs"),
  match: optional(MATCH),
  action: ACTION,
  timeoutSeconds: optional({ ...number("The time limit (seconds)", { max: 3600 }), exclusiveMinimum: 0 }),
  onFailure: optional(oneOf(["refuse", "pass"], "What happens to the call if the hook fails")),
});

/** The JSON Schema of the setting `hooks`. */
export const HOOKS = list(HOOK);

type WrittenHook = Infer<typeof HOOK>;

/** Turns hooks that fit the schema into definitions. Throws, naming the place, on what a schema cannot check. */
export function parseHooks(hooks: readonly WrittenHook[], place: string): readonly HookDefinition[] {
  const definitions = hooks.map((hook, index) => parseHook(hook, `${place}[${index}]`));
  for (const [index, { name }] of definitions.entries()) {
    const first = definitions.findIndex((other) => other.name === name);
    if (first < index)
      throw invalid(`${place}[${index}].name: ${place}[${first}] has the same name "${name}"`);
  }
  return definitions;
}

function parseHook(hook: WrittenHook, place: string): HookDefinition {
  const { name, match = {}, timeoutSeconds, onFailure } = hook;
  const on = [...new Set([hook.on].flat() as readonly HookPoint[])];
  const action = parseAction(hook.action as HookAction, `${place}.action`);
  const pointless = on.find((point) => action.type === "block" && !REFUSABLE.has(point));
  if (pointless !== undefined) throw invalid(`${place}.on: there is nothing to block at ${pointless}`);
  return {
    name,
    on,
    match: parseMatch(match, `${place}.match`),
    action,
    ...defined({ timeoutSeconds, onFailure }),
  };
}

function parseMatch({ tool, path, risk }: Infer<typeof MATCH>, place: string): HookMatch {
  return defined({
    tool: tool === undefined ? undefined : checkGlobs(tool, `${place}.tool`),
    path: path === undefined ? undefined : checkGlobs(path, `${place}.path`),
    risk: risk === undefined ? undefined : ([...new Set([risk].flat())] as readonly Risk[]),
  });
}

function parseAction(action: HookAction, place: string): HookAction {
  if (action.type === "askAgent") checkTemplate(action.prompt, `${place}.prompt`);
  if (action.type === "command" && action.program[0] === "")
    throw invalid(`${place}.program[0]: expected the program, got an empty string`);
  return action;
}

/** Returns the globs as a list. Throws, naming the place, if one is invalid. */
export function checkGlobs(globs: string | readonly string[], place: string): readonly string[] {
  if (typeof globs === "string") {
    checkGlob(globs, place);
    return [globs];
  }
  for (const [index, glob] of globs.entries()) checkGlob(glob, `${place}[${index}]`);
  return globs;
}

function checkGlob(glob: string, place: string): void {
  try {
    compileGlob(glob);
  } catch (error) {
    throw invalid(`${place}: invalid glob ${JSON.stringify(glob)}: ${errorMessage(error)}`, error);
  }
}

function invalid(message: string, cause?: unknown): ToolError {
  return new ToolError("INVALID_INPUT", message, { cause });
}
