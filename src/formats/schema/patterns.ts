/**
 * Syntax that the regular expressions of providers (Python's `re`, RE2) write differently or lack: look-around, named groups,
 * back references, properties, code points. One such pattern makes a provider refuse the whole request.
 */
const FOREIGN = /\(\?(?!:)|\\[pPkucGKQEzZRXhHNC1-9]|\[\[|(?:^|[(|])[*+]|(?:^|\|)\?|[*+?}][*+{]/;

/** Returns whether a pattern means the same in every engine that a provider may use. */
export function isPortable(pattern: string): boolean {
  if (FOREIGN.test(pattern)) return false;
  return isBalanced(pattern);
}

/** Checks that brackets close, instead of compiling an untrusted expression. */
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
