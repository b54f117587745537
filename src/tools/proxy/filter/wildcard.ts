/** Returns true if a text matches. */
export type TextMatch = (text: string) => boolean;

/** Compiles a pattern in which a mark, such as `*`, stands for any text. Matching takes linear time, whatever the pattern. */
export function compileWildcard(pattern: string, mark: string): TextMatch {
  const [first = "", ...rest] = pattern.split(mark);
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const position = text.indexOf(part, at);
      if (position === -1) return false;
      at = position + part.length;
    }
    return text.length - last.length >= at && text.endsWith(last);
  };
}
