import { basename } from "node:path";
import { isObject, type JsonObject } from "../../core/json.ts";

const PLACEHOLDER = /\{([A-Za-z_]\w*)\}/g;
/** An option whose argument most programs that have it run as code. */
const CODE_FLAG = /^(?:-[A-Za-z]*[ceE]|--(?:eval|print|command|execute|exec)|eval)$/;
/** The same, with the code in the same word. */
const CODE_IN_FLAG = /^(?:-[A-Za-z]*[ceE]\{|--(?:eval|print|command|execute|exec|split-string)=|-S\{)/;
/** Programs in which `-c` and `-e` mean something else. */
const RUN_NO_CODE = namesOf("cat cc clang cut du egrep fgrep g++ gcc grep head ls ping rg stat tail wc");
const SHELLS = namesOf("ash bash busybox csh dash fish ksh sh tcsh zsh");
/** Interpreters with further options for code: `node -p`, `php -r`. */
const RUN_BY_P_OR_R = namesOf("bun deno node nodejs php");
/** Programs whose first operand is code. */
const RUN_OPERAND = namesOf("awk gawk mawk nawk sed gsed");
/** Programs whose first operand is a program. */
const START_OPERAND = namesOf("command doas env exec nohup setsid sudo time watch xargs");

/** Returns why a template cannot be used: a call would choose its program or its code, or has no such parameter. */
export function templateFault(words: readonly string[], input: JsonObject): string | undefined {
  const [program = "", ...args] = words;
  if (program === "" || namesIn(program).length > 0) return FIXED;
  const properties = isObject(input["properties"]) ? input["properties"] : {};
  const unknown = args.flatMap(namesIn).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) return `{${unknown}} is not one of its parameters`;
  const filled = words.keys().filter((index) => namesIn(words[index] ?? "").length > 0);
  for (const index of filled) {
    if (isFirstOperand(words, index, START_OPERAND)) return FIXED;
    if (isCode(words, index) || isFirstOperand(words, index, RUN_OPERAND))
      return `${JSON.stringify(words[index])} would run as code; pass the value as an argument of its own and use "$1" in the code`;
  }
  return undefined;
}

const FIXED = "the program must be a fixed text";

/** Returns the names of the parameters in a word of a template. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

/** Returns a word of a template with its parameters replaced. */
export function replaceNames(text: string, valueOf: (name: string) => string): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => valueOf(name));
}

function isCode(words: readonly string[], index: number): boolean {
  const [program = "", word = ""] = [words[0], words[index]];
  if (RUN_NO_CODE.has(basename(program))) return false;
  const before = words.slice(0, index);
  const options = before.slice(before.findLastIndex((one) => !one.startsWith("-")) + 1);
  const starts = (names: ReadonlySet<string>): boolean => before.some((one) => names.has(basename(one)));
  return (
    CODE_IN_FLAG.test(word) ||
    CODE_FLAG.test(before.findLast((one) => one !== "--") ?? "") ||
    (starts(SHELLS) && options.some((one) => /^-[A-Za-z]*c/.test(one))) ||
    (starts(RUN_BY_P_OR_R) && /^-[prBRE]+$/.test(before.at(-1) ?? ""))
  );
}

/** Returns true if only options and variables are between one of the programs and the word. */
function isFirstOperand(words: readonly string[], index: number, programs: ReadonlySet<string>): boolean {
  const isOption = (word: string): boolean => word.startsWith("-") || word.includes("=");
  const operands = words.slice(0, index).filter((word) => !isOption(word));
  const [program = "", ...starters] = operands.map((word) => basename(word)).toReversed();
  return (
    programs.has(program) && starters.every((one) => START_OPERAND.has(one)) && !isOption(words[index] ?? "")
  );
}

function namesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
