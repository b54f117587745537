import { ToolError } from "../../core/errors.ts";
import { isObject } from "../../core/json.ts";
import type { Effects, Place, Risk } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";

const RISKS: readonly unknown[] = ["low", "medium", "high"] satisfies readonly Risk[];
const PLACES: readonly unknown[] = ["host", "sandbox", "fleet"] satisfies readonly Place[];
const EFFECTS: readonly unknown[] = [
  "none",
  "own-state",
  "idempotent",
  "unsafe",
] satisfies readonly Effects[];
const POINTS: readonly unknown[] = [
  "before_tool",
  "after_tool",
  "tool_error",
  "session_start",
  "session_end",
  "file_changed",
];
const WORD = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Returns the value if it is a tool, else throws what is wrong: plain JavaScript has no type check. */
export function checkTool(given: unknown): Tool {
  const tool = given as Partial<Tool> | null | undefined;
  const name = typeof tool?.name === "string" ? tool.name : "";
  refuse(name === "", "a tool needs a name");
  refuse(typeof tool?.description !== "string", `the tool "${name}" needs a description`);
  refuse(!isObject(tool?.input), `the tool "${name}" needs an input schema: make it with defineTool`);
  refuse(typeof tool?.run !== "function", `the tool "${name}" needs a function run`);
  refuse(!RISKS.includes(tool?.risk), `the tool "${name}" needs a risk: low, medium or high`);
  refuse(!PLACES.includes(tool?.place), `the tool "${name}" needs a place: host, sandbox or fleet`);
  refuse(
    !EFFECTS.includes(tool?.effects),
    `the tool "${name}" needs effects: none, own-state, idempotent or unsafe`,
  );
  return given as Tool;
}

/** Throws what is wrong with a value that is not a hook. */
export function checkHook(given: unknown): void {
  const hook = (given ?? {}) as Readonly<Record<string, unknown>>;
  refuse(typeof hook["name"] !== "string" || hook["name"] === "", "a hook needs a name");
  refuse(typeof hook["run"] !== "function", `the hook "${String(hook["name"])}" needs a function run`);
  const { on } = hook;
  const isKnown = Array.isArray(on) && on.length > 0 && on.every((point) => POINTS.includes(point));
  refuse(!isKnown, `the hook "${String(hook["name"])}" needs on, a list of ${POINTS.join(", ")}`);
}

/** Throws what is wrong with a value that is not a command. */
export function checkCommand(given: unknown): void {
  const { name, summary, run } = (given ?? {}) as Readonly<Record<string, unknown>>;
  refuse(!isWord(name), "a command needs a name, without the slash: letters, digits, dashes and underscores");
  refuse(typeof summary !== "string", `the command "${String(name)}" needs a summary`);
  refuse(typeof run !== "function", `the command "${String(name)}" needs a function run`);
}

/** Throws what is wrong with a provider. */
export function checkProvider(name: unknown, factory: unknown): void {
  refuse(!isWord(name), "a provider needs a name: letters, digits, dashes and underscores");
  refuse(
    typeof factory !== "function",
    `the provider "${String(name)}" needs a function that creates its models`,
  );
}

/** Returns true for a valid name of an extension, a command or a provider. */
export function isWord(name: unknown): name is string {
  return typeof name === "string" && WORD.test(name);
}

function refuse(isWrong: boolean, message: string): void {
  if (isWrong) throw new ToolError("INVALID_INPUT", message, { details: { reason: "bad_schema" } });
}
