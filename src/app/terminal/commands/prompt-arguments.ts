import { ToolError } from "../../../core/errors.ts";
import type { McpPrompt } from "../../../sources/mcp/registry.ts";
import { nearHint } from "../../../util/text/near-hint.ts";

type Values = Readonly<Record<string, string>>;

/** A word, quoted or not, in which quotes may stand anywhere. */
const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/** The arguments in a line as one types it: `key=value`, quoted where there are spaces, or all of it for a prompt that takes one. */
export function readPromptText(prompt: McpPrompt, text: string): Values {
  const words = text.match(WORD) ?? [];
  const only = onlyArgument(prompt, words);
  if (only !== undefined) return { [only]: text.trim() };
  return readPromptArguments(
    prompt,
    words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2")),
  );
}

/** The same for words that a shell has taken apart already. Throws `INVALID_INPUT` for what the prompt does not take, and for what it lacks. */
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

/** The one argument that the whole line is for; undefined where its parts are named. */
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
