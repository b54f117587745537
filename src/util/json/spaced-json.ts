/** Returns a value as JSON on one line, with spaces between its parts, where it can be wrapped. */
export function spacedJson(value: object): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, " ");
}
