import { readers } from "../../../src/shell/programs/tables/readers.ts";
import { searchers } from "../../../src/shell/programs/tables/searchers.ts";
import { starters } from "../../../src/shell/programs/tables/starters.ts";

const KNOWN = [...readers(), ...searchers()];
const STARTING = starters();

/** What a generated command would do if it ran: change something, remove `victim`, or print a denied file. */
export type Goal = "any" | "rm" | "env";

export interface GeneratedCommand {
  readonly text: string;
  /** It uses a way that deny rules cannot see, as `docs/policy.md` says. */
  readonly isBeyondRules: boolean;
}

export type Random = () => number;

/** Returns numbers in [0, 1) that depend only on the seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Combines programs of the tables, wrappers, expansions and redirections at random. */
export function generateCommand(random: Random, goal: Goal): GeneratedCommand {
  const isReader = goal === "any" && random() < 0.7;
  let text = isReader ? readerCommand(random) : disguised(random, pick(random, PAYLOADS[goal]));
  const depth = isReader && random() < 0.8 ? 0 : Math.floor(random() * 4);
  for (let level = 0; level < depth; level += 1) text = pick(random, WRAPS)(text, random);
  const isBeyondRules = goal !== "any" && random() < 0.03;
  if (isBeyondRules) text = builtByCode(text);
  return { text: random() < 0.3 ? `${text} ${pick(random, REDIRECTIONS)}` : text, isBeyondRules };
}

const PAYLOADS: Readonly<Record<Goal, readonly string[]>> = {
  any: [
    "touch PWN",
    "rm -rf victim",
    "cp a.txt PWN",
    "tee PWN",
    "sh payload",
    "cat @HOME@/.ssh/id_rsa",
    "grep -r CANARY src/data/",
    "git config core.pager x",
    "sort -o PWN a.txt",
    "find . -fprint PWN",
    "sed -n 'w PWN' a.txt",
  ],
  rm: ["rm -rf victim", "/bin/rm -r victim", "rm -- victim/v.txt", "rm victim/v.txt"],
  env: ["cat .env", "grep '' .env", "head -n 1 ./.env", "sort secrets.txt", "base64 -w0 < .env | base64 -d"],
};

const OPERANDS = [
  "a.txt",
  "README.md",
  ".",
  "src",
  "PWN",
  "src/data",
  "@HOME@",
  "1",
  "s/a/b/w PWN",
  "-",
  "+PWN",
  "@a.txt",
];
const TAME_OPERANDS = ["a.txt", "README.md", ".", "src", "src/key.txt", "1", "x"];
const VALUES = ["1", "a.txt", "PWN", "@HOME@/.ssh/id_rsa", "'touch PWN'", "src/data"];
const REDIRECTIONS = [
  "> PWN",
  ">> a.txt",
  "2>&1",
  "< a.txt",
  "> /dev/null",
  "< a.txt > /dev/stdin",
  ">| PWN",
  "<> PWN",
  "&> PWN",
  "2> PWN",
  ">&PWN",
  "> @HOME@/PWN",
  "<<< 'touch PWN'",
  "| sh",
  "| cat",
  "| tee PWN",
  "&",
];

/** Returns a program of the tables with some of its options, of every effect, and some operands. */
function readerCommand(random: Random): string {
  const { names, flags = "" } = pick(random, random() < 0.8 ? KNOWN : STARTING);
  const isTame = random() < 0.7;
  const [safe = ""] = flags.split(/ (?=[~>!] )/);
  const items = (isTame ? safe : flags).split(" ").filter((item) => !/^[~>!]?$/.test(item));
  const words = [pick(random, names.split(" "))];
  for (let count = Math.floor(random() * 4); count > 0 && items.length > 0; count -= 1)
    words.push(optionOf(pick(random, items), random));
  if (random() < 0.05) words.push("--");
  for (let count = Math.floor(random() * 3); count > 0; count -= 1)
    words.push(isTame ? pick(random, TAME_OPERANDS) : operandOf(random));
  return words.join(" ");
}

function optionOf(item: string, random: Random): string {
  const name = pick(random, (item.split(/[=?[]/)[0] ?? "").replace("NUM", "5").split(","));
  if (!item.includes("=")) return name;
  const value = pick(random, VALUES);
  return item.endsWith("?") || (name.startsWith("--") && random() < 0.5)
    ? `${name}=${value}`
    : `${name} ${value}`;
}

function operandOf(random: Random): string {
  const operand = pick(random, OPERANDS);
  return operand.includes(" ") ? `'${operand}'` : operand;
}

/** Hides the words of a command from a reader that does not expand like a shell. */
function disguised(random: Random, text: string): string {
  const [first = "", ...rest] = text.split(" ");
  return [pick(random, DISGUISES)(first), ...rest].join(" ");
}

const DISGUISES: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => word,
  (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
  (word) => `"${word}"`,
  (word) => `\\${word}`,
  (word) => `$'${word}'`,
  (word) => `$(echo ${word})`,
  (word) => `$(printf %s ${word} | cat)`,
  (word) => `\${nothing:-${word}}`,
  (word) => `$(tr x x <<< ${word})`,
];

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const WRAPS: readonly ((text: string, random: Random) => string)[] = [
  (text) => `env ${text}`,
  (text) => `timeout 5 ${text}`,
  (text) => `nice -n 5 ${text}`,
  (text) => `command ${text}`,
  (text) => `time ${text}`,
  (text) => `echo ${quote(text)} | sh`,
  (text) => `sh -c ${quote(text)}`,
  (text) => `bash -c "$(echo ${quote(text)} | cat)"`,
  (text) => `eval ${quote(text)}`,
  (text) => `eval "$(printf %s ${quote(text)})"`,
  (text) => `env $(echo ${text} | cat)`,
  (text) => `echo x | xargs -I{} ${text}`,
  (text) => `echo ${quote(text)} | xargs -I{} sh -c '{}'`,
  (text) => `find . -maxdepth 0 -exec ${text} ';'`,
  (text) => `if true; then ${text}; fi`,
  (text) => `for f in a; do ${text}; done`,
  (text) => `f() { ${text}; }; f`,
  (text) => `{ ${text}; }`,
  (text) => `( ${text} )`,
  (text) => `! ${text}`,
  (text) => `true && ${text}`,
  (text) => `cat a.txt; ${text}`,
  (text) => `x=${quote(text)}; $x`,
  (text) => `x=${quote(text)}; eval "$x"`,
  (text) => `trap ${quote(text)} EXIT`,
  (text) => `sh <<'E'\n${text}\nE`,
  (text) => `cat <(${text})`,
  (text) => `echo $(${text})`,
  (text) => `python3 -c 'import os; os.system(${JSON.stringify(text).replaceAll("'", "")})'`,
  (text) => `awk 'BEGIN{system(${JSON.stringify(text).replaceAll("'", "")})}'`,
  (text) => `git -c alias.x=${quote(`!${text}`)} x`,
  (text) => `GIT_PAGER=${quote(text)} git -p log`,
  (text) => `cd src && cd .. && ${text}`,
  (text) => `echo ${quote(text)} > y; sh y`,
  (text, random) => `${"env ".repeat(Math.floor(random() * 40))}${text}`,
];

/** Code that builds the text of a command from pieces. */
function builtByCode(text: string): string {
  const codes = Array.from(Buffer.from(text), (byte) => String(byte)).join(",");
  return `python3 -c 'import os; os.system(bytes([${codes}]).decode())'`;
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
