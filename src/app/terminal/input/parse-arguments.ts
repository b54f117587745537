import { parseArgs } from "node:util";
import { ToolError } from "../../../core/errors.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { foreignFlagHint } from "./foreign-flags.ts";
import { HELP_FLAG, type Arguments, type Command, type Flag } from "./command.ts";

/** Parses the arguments of a command. Throws, with near names, if the command does not have a flag. */
export function parseArguments(command: Command, args: readonly string[]): Arguments {
  const known: Readonly<Record<string, Flag>> = { ...command.flags, ...HELP_FLAG };
  const options = Object.fromEntries(Object.entries(known).map(([name, flag]) => [name, toOption(flag)]));
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const flags: Record<string, string | boolean> = {};
  const repeated: Record<string, readonly string[]> = {};
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const flag = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (flag === undefined) throw unknownFlag(command, token.rawName, { known: Object.keys(known), args });
    const value = valueOf(flag, token, known);
    flags[token.name] = value;
    if (flag.isRepeatable === true) repeated[token.name] = [...(repeated[token.name] ?? []), String(value)];
  }
  return { positionals, flags, repeated };
}

function toOption({ value, short }: Flag): { type: "string" | "boolean"; short?: string } {
  const type = value === undefined ? "boolean" : "string";
  return short === undefined ? { type } : { type, short };
}

interface OptionToken {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function valueOf(flag: Flag, token: OptionToken, known: Readonly<Record<string, Flag>>): string | boolean {
  const { rawName, value, inlineValue } = token;
  if (flag.value === undefined) {
    if (value === undefined) return true;
    throw new ToolError("INVALID_INPUT", `${rawName} takes no value; write ${rawName} alone`);
  }
  if (value === undefined && flag.isOptional === true) return "";
  const isFlag =
    inlineValue !== true && value?.startsWith("--") === true && Object.hasOwn(known, value.slice(2));
  if (value === undefined || isFlag)
    throw new ToolError("INVALID_INPUT", `${rawName} needs a value: ${rawName} ${flag.value}`);
  if (flag.choices === undefined || flag.choices.includes(value)) return value;
  const expected = `expected ${flag.choices.join(", ")}`;
  throw unknownName(`invalid value ${JSON.stringify(value)} for ${rawName}`, value, flag.choices, expected);
}

function unknownFlag(
  command: Command,
  rawName: string,
  { known, args }: { readonly known: readonly string[]; readonly args: readonly string[] },
): ToolError {
  const message = `unknown flag ${rawName}`;
  const foreign = foreignFlagHint(rawName, command.name, known);
  if (foreign !== undefined) return new ToolError("INVALID_INPUT", message, { hint: foreign });
  const names = known.map((one) => `--${one}`);
  const otherwise = command.hintFor?.(rawName, args) ?? `see toolwright ${command.name} --help`;
  return unknownName(message, rawName, names, otherwise);
}
