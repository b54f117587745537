import type { Range } from "./ranges.ts";
import { findAfterColons, findAfterSigns } from "./assignments.ts";
import { kindOf } from "./names.ts";
import { findPhrases } from "./phrases.ts";
import { findPrivateKeys } from "./private-keys.ts";
import { findTokens } from "./tokens.ts";
import { findInUrls } from "./urls.ts";
import { isSecretValue } from "./values.ts";

/** Adds the places of everything that is told to be a secret by its form or by what is beside it. Takes time linear in the text. */
export function findForms(text: string, ranges: Range[]): void {
  if (text.length < MIN_NAMED) return findInUrls(text, ranges);
  findTokens(text, ranges);
  findAfterColons(text, ranges);
  if (!SIGNS.test(text)) return;
  findAfterSigns(text, ranges);
  findInUrls(text, ranges);
  findPhrases(text, ranges);
  findPrivateKeys(text, ranges);
}

/** Each form has one of these, except tokens and values after a colon. Most short texts have none, and others have one early. */
const SIGNS = /[=BP]|<\/|\/\/|machine|--|-u/;

/** The shortest name of a secret with a sign and the shortest value, `pin=abc123`. */
const MIN_NAMED = 10;

/** Adds the whole text if it is the value of a field with the name of a secret. */
export function findNamed(text: string, name: string, ranges: Range[]): void {
  const kind = kindOf(name);
  if (kind !== undefined && isSecretValue(text, { kind, isQuoted: true, isVariable: false }))
    ranges.push([0, text.length]);
}
