import { ToolError } from "../../../core/errors.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import type { Arguments, Command } from "./command.ts";

/** Throws if there are arguments that the command does not use. */
export function refuseArguments(args: readonly string[], hint?: string): void {
  if (args.length === 0) return;
  const what = args.length === 1 ? "unexpected argument" : "unexpected arguments";
  throw new ToolError("INVALID_INPUT", `${what}: ${args.join(" ")}`, { hint });
}

/** Returns the only argument. Throws if it is missing or others follow it; `what` names it and shows the usage. */
export function onlyArgument([first, ...rest]: readonly string[], what: string, hint?: string): string {
  if (first === undefined) throw new ToolError("INVALID_INPUT", `missing ${what}`, { hint });
  refuseArguments(rest, hint);
  return first;
}

/**
 * Returns the action that the first argument names, `otherwise` if there is none, and the arguments behind it. Throws, with near names, if
 * the command has no such action, and on a flag that the action does not use.
 */
export function takeAction<T extends string>(
  command: Command,
  given: Arguments,
  actions: readonly T[],
  otherwise?: T,
): { readonly action: T; readonly rest: readonly string[] } {
  const [name = otherwise ?? "", ...rest] = given.positionals;
  const action = actions.find((one) => one === name);
  if (action === undefined)
    throw unknownName(
      `${name === "" ? "missing action" : `unknown action "${name}"`}; expected ${alternatives(actions)}`,
      name,
      actions,
      `see toolwright ${command.name} --help`,
    );
  refuseFlags(command, given, action);
  return { action, rest };
}

/** Throws if a flag was given that the action does not use; `line` is the action as it is typed. */
export function refuseFlags(
  { name, flags }: Pick<Command, "name" | "flags">,
  given: Pick<Arguments, "flags">,
  action: string,
  line = `${name} ${action}`,
): void {
  const misplaced = Object.keys(given.flags).find((flag) => flags[flag]?.for?.includes(action) === false);
  if (misplaced === undefined) return;
  throw new ToolError("INVALID_INPUT", `--${misplaced} cannot be used with "${line}"`, {
    hint: `see toolwright ${name} --help`,
  });
}

/** Returns the error for a flag with an unusable value. */
function invalidValue(flag: string, value: string | boolean | undefined, expected: string): ToolError {
  return new ToolError(
    "INVALID_INPUT",
    `invalid value ${JSON.stringify(value)} for --${flag}; expected ${expected}`,
  );
}

function alternatives(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
}

/** Returns the value of a flag; undefined without the flag. */
export function textFlag({ flags }: Pick<Arguments, "flags">, name: string): string | undefined {
  const { [name]: value } = flags;
  return typeof value === "string" ? value : undefined;
}

/** Parses the port given to a flag. */
export function parsePort(text: string | boolean | undefined, flag = "http"): number {
  const port = /^\d{1,5}$/.test(String(text)) ? Number(text) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw invalidValue(flag, text, "a port from 1 to 65535, or 0 for a free one");
}

/** Returns the number that a flag sets; undefined without the flag. Throws unless `isValid` accepts it. */
export function numberFlag(
  { flags }: Pick<Arguments, "flags">,
  name: string,
  isValid: (value: number) => boolean,
  expected: string,
): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  const value = typeof text === "string" && text.trim() !== "" ? Number(text) : Number.NaN;
  if (isValid(value)) return value;
  throw invalidValue(name, text, expected);
}
