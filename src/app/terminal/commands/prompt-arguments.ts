import { ToolError } from "../../../core/errors.ts";
import type { McpPrompt } from "../../../sources/mcp/types/source-types.ts";
import { nearHint } from "../../../util/text/near-hint.ts";

type Values = Readonly<Record<string, string>>;

/** An argument, in which quotes may be anywhere. */
const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/** Parses the arguments in a typed line: `key=value`, quoted if there are spaces, or the whole line for a prompt with one argument. */
export function readPromptText(prompt: McpPrompt, text: string): Values {
  const words = text.match(WORD) ?? [];
  const only = onlyArgument(prompt, words);
  if (only !== undefined) return { [only]: text.trim() };
  return readPromptArguments(
    prompt,
    words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2")),
  );
}

/** Parses arguments that a shell has split. Throws `INVALID_INPUT` on unknown and missing arguments. */
export function readPromptArguments(prompt: McpPrompt, words: readonly string[]): Values {
  const only = onlyArgument(prompt, words);
  const values =
    only === undefined
      ? Object.fromEntries(words.map((word) => readPair(prompt, word)))
      : { [only]: words.join(" ") };
  const missing = prompt.arguments.filter(
    ({ name, isRequired }) => isRequired && !Object.hasOwn(values, name),
  );
  if (missing.length === 0) return values;
  throw new ToolError(
    "INVALID_INPUT",
    `${prompt.name} needs ${missing.map(({ name }) => name).join(" and ")}`,
    {
      hint: `${prompt.name} ${missing.map(({ name }) => `${name}=…`).join(" ")}`,
    },
  );
}

/** Returns the only argument, which takes the whole line; undefined if arguments are named. */
function onlyArgument({ arguments: wanted }: McpPrompt, [first]: readonly string[]): string | undefined {
  const [only, ...others] = wanted;
  if (only === undefined || others.length > 0 || first === undefined) return undefined;
  return first.startsWith(`${only.name}=`) ? undefined : only.name;
}

function readPair({ name: prompt, arguments: wanted }: McpPrompt, word: string): readonly [string, string] {
  const names = wanted.map(({ name }) => name);
  const [, key = word, value] = /^([^=]+)=([\s\S]*)$/.exec(word) ?? [];
  if (value !== undefined && names.includes(key)) return [key, value];
  const takes =
    names.length === 0 ? "it takes no arguments" : `it takes ${names.map((one) => `${one}=…`).join(" ")}`;
  throw new ToolError("INVALID_INPUT", `${prompt} does not take ${JSON.stringify(word)}`, {
    hint: nearHint(key, names, takes),
  });
}
