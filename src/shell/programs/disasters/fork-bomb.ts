import type { SimpleCommand } from "../../../core/command.ts";

/** Returns true if the text defines a function that starts itself in the background, and the commands call it. */
export function isForkBomb(commands: readonly SimpleCommand[], text: string): boolean {
  if (!text.includes("&") || !text.includes("{") || text.length > MAX_LENGTH) return false;
  for (const { index, 0: head, groups } of text.matchAll(DEFINITION)) {
    const name = groups?.["plain"] ?? groups?.["worded"] ?? "";
    const body = text.slice(index + head.length, endOfBody(text, index + head.length));
    const calls = body.split(/[\s;|&(){}]+/).filter((word) => word === name).length;
    const isCalled = commands.some(({ words }) => words[0]?.text === name);
    if (calls > 0 && body.includes("&") && isCalled) return true;
  }
  return false;
}

const MAX_LENGTH = 100_000;
/** A fork bomb is short; this limits the cost of many definitions. */
const MAX_BODY = 300;
const DEFINITION =
  /(?:(?<plain>[^\s(){};|&<>'"`$=]{1,64})[ \t]{0,16}\([ \t]{0,16}\)|\bfunction[ \t]{1,16}(?<worded>[^\s(){};|&<>'"`$=]{1,64}))\s{0,16}\{/g;

function endOfBody(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < from + MAX_BODY; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return from + MAX_BODY;
}
