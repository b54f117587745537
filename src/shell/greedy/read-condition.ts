import type { Code, ConditionToken, LexedWord } from "./lexed.ts";
import { plainText } from "./piece-list.ts";
import { readWord } from "./read-word.ts";
import type { Scan } from "./scan.ts";
import { fault, hasMore } from "./scan.ts";

const OPERATOR = /&&|\|\||[<>()]/y;

/** Reads from behind `[[` to behind its `]]`. What no condition can hold ends it, so that nothing hides behind it. */
export function readCondition(scan: Scan): ConditionToken {
  const words: LexedWord[] = [];
  const codes: Code[] = [];
  while (hasMore(scan)) {
    const char = scan.text.charAt(scan.at);
    if (/[ \t\n]/.test(char)) {
      scan.at += 1;
      continue;
    }
    const before = words.at(-1);
    const isRegex = before !== undefined && plainText(before.pieces) === "=~";
    if (readOperator(scan, isRegex)) continue;
    const start = scan.at;
    const word = readWord(scan, "pattern");
    if (scan.at === start) break;
    if (plainText(word.pieces) === "]]") return { kind: "condition", words, codes, isLoopHead: false };
    words.push(word);
    codes.push(...word.codes);
  }
  fault(scan, "a [[ is not closed");
  return { kind: "condition", words, codes, isLoopHead: false };
}

function readOperator(scan: Scan, isRegex: boolean): boolean {
  OPERATOR.lastIndex = scan.at;
  const operator = OPERATOR.exec(scan.text)?.[0];
  if (operator === undefined || (isRegex && operator === "(")) return false;
  if (/^[<>]\(/.test(scan.text.slice(scan.at, scan.at + 2))) return false;
  scan.at += operator.length;
  return true;
}
