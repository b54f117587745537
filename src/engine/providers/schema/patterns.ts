/**
 * Providers compile patterns in their own language (Python's `re`, RE2): these are written differently there or missing, and
 * one such pattern has the whole request refused. Look-around, named groups, back references, properties, code points.
 */
const FOREIGN = /\(\?(?!:)|\\[pPkucGKQEzZRXhHNC1-9]|\[\[|(?:^|[(|])[*+]|(?:^|\|)\?|[*+?}][*+{]/;

/** True where a pattern means the same in every engine that a provider may use. */
export function isPortable(pattern: string): boolean {
  if (FOREIGN.test(pattern)) return false;
  return isBalanced(pattern);
}

/** A cheap check that brackets close, in place of compiling a stranger's expression. */
function isBalanced(pattern: string): boolean {
  let open = 0;
  let inClass = false;
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern.charAt(index);
    if (character === "\\") index += 1;
    else if (inClass) inClass = character !== "]";
    else if (character === "[") inClass = true;
    else if (character === "(") open += 1;
    else if (character === ")") open -= 1;
    if (open < 0 || index >= pattern.length) return false;
  }
  return open === 0 && !inClass;
}
