import { defined } from "../../../util/json/defined.ts";
import { ToolError } from "../../../core/errors.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import type { Arguments } from "./command.ts";

/** Throws if there are arguments that the command does not use. */
export function refuseArguments(args: readonly string[], hint?: string): void {
  if (args.length === 0) return;
  const what = args.length === 1 ? "unexpected argument" : "unexpected arguments";
  throw new ToolError("INVALID_INPUT", `${what}: ${args.join(" ")}`, defined({ hint }));
}

/** Returns the only argument. Throws if it is missing or others follow it; `what` names it and shows the usage. */
export function onlyArgument([first, ...rest]: readonly string[], what: string, hint?: string): string {
  if (first === undefined) throw new ToolError("INVALID_INPUT", `missing ${what}`, defined({ hint }));
  refuseArguments(rest, hint);
  return first;
}

/** Returns the action with this name. Throws, with near names, if the command has no such action. */
export function chooseAction<T extends string>(name: string, actions: readonly T[], command: string): T {
  const action = actions.find((one) => one === name);
  if (action !== undefined) return action;
  throw new ToolError("INVALID_INPUT", `unknown action "${name}"; expected ${alternatives(actions)}`, {
    hint: nearHint(name, actions, `see toolwright ${command} --help`),
  });
}

/** Throws if a flag was given that the action does not use. A flag that is not in `usedBy` can be used with every action. */
export function refuseFlags(
  { flags }: Pick<Arguments, "flags">,
  action: string,
  usedBy: Readonly<Record<string, readonly string[]>>,
  [command, line = `${command} ${action}`]: readonly [command: string, line?: string],
): void {
  const misplaced = Object.keys(flags).find((flag) => usedBy[flag]?.includes(action) === false);
  if (misplaced === undefined) return;
  throw new ToolError("INVALID_INPUT", `--${misplaced} cannot be used with "${line}"`, {
    hint: `see toolwright ${command} --help`,
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
