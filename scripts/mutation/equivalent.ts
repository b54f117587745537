import { EQUIVALENT } from "./equivalent-mutants.ts";

/** Returns why a mutant that no test notices changes no decision; undefined if it is not in the list. */
export function reasonFor(file: string, code: string, replacement: string): string | undefined {
  const flat = (text: string): string => text.replaceAll(/\s+/g, " ");
  const [original, becomes] = [flat(code), flat(replacement)];
  const isCode = (listed: string): boolean =>
    listed.endsWith("…") ? original.startsWith(listed.slice(0, -1)) : original === listed;
  return EQUIVALENT[file]?.find(
    ([listed, change]) => isCode(listed) && (change === "*" || change === becomes),
  )?.[2];
}
