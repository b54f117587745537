import { ENGINE } from "./equivalent-mutants/engine.ts";
import { MATCH } from "./equivalent-mutants/match.ts";
import { POLICY } from "./equivalent-mutants/policy.ts";
import { PROTECT } from "./equivalent-mutants/protect.ts";
import { SHELL } from "./equivalent-mutants/shell.ts";
import { STRICT } from "./equivalent-mutants/strict.ts";

/** The code that is mutated, its beginning if it ends with `…`; what replaces it, or `*` for anything; and the reason. */
export type ListedMutant = readonly [code: string, replacement: string, because: string];
export type ListedMutants = Readonly<Record<string, readonly ListedMutant[]>>;

/** The mutants that no test can notice, because they change no decision. */
export const EQUIVALENT: ListedMutants = { ...ENGINE, ...MATCH, ...POLICY, ...PROTECT, ...SHELL, ...STRICT };

/** Returns why a mutant that no test notices changes no decision; undefined if it is not in the list. */
export function reasonFor(file: string, code: string, replacement: string): string | undefined {
  return findReason(EQUIVALENT, file, code, replacement);
}

/** Returns the reason that a list has for a mutant; undefined if the list does not have it. */
export function findReason(
  list: ListedMutants,
  file: string,
  code: string,
  replacement: string,
): string | undefined {
  const flat = (text: string): string => text.replaceAll(/\s+/g, " ");
  const [original, becomes] = [flat(code), flat(replacement)];
  const isCode = (listed: string): boolean =>
    listed.endsWith("…") ? original.startsWith(listed.slice(0, -1)) : original === listed;
  return list[file]?.find(
    ([listed, change]) => isCode(listed) && (change === "*" || change === becomes),
  )?.[2];
}
