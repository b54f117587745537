import type { Word } from "../../core/command.ts";
import { listedLines, listedNames } from "../syntax/listed-names.ts";
import { wordsOf } from "./add-scripts.ts";
import type { Collected } from "./collected.ts";
import type { Token } from "./lexed.ts";

/** The builtins that assign what they read, and the variable that each assigns by default. */
const READERS: Readonly<Record<string, string>> = {
  read: "REPLY",
  mapfile: "MAPFILE",
  readarray: "MAPFILE",
};

/** Records the names that `read` and `mapfile` may assign to variables from a list on standard input. */
export function recordRead(tokens: readonly Token[], input: Word | undefined, collected: Collected): void {
  if (input === undefined) return;
  const words = wordsOf(tokens, collected).map(({ text }) => text);
  const at = words.findIndex((text) => Object.hasOwn(READERS, text));
  const preset = READERS[words[at] ?? ""];
  if (preset === undefined) return;
  const { values } = collected.findings;
  const variables = words.slice(at + 1).filter((text) => /^[A-Za-z_]\w*$/.test(text));
  const isSplit = variables.length > 1 || words.some((text) => text.startsWith("-d"));
  for (const name of isSplit ? listedNames(input) : listedLines(input)) {
    const value = {
      pieces: [{ kind: "text", text: name, isQuoted: false }],
      source: name,
      codes: [],
    } as const;
    for (const variable of [preset, ...variables]) {
      const known = values.get(variable);
      if (known === undefined) values.set(variable, [value]);
      else known.push(value);
    }
  }
}
