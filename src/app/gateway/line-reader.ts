/**
 * Cuts text that comes in pieces into lines and hands over each that is not blank; undefined stands for one that was longer than
 * allowed, of which nothing is kept.
 */
export function createLineReader(
  maxLength: number,
  onLine: (line: string | undefined) => void,
): (chunk: string) => void {
  let parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    length += part.length;
    if (length <= maxLength) parts.push(part);
    else parts = [];
  };
  const finish = (): void => {
    const line = length > maxLength ? undefined : parts.join("");
    parts = [];
    length = 0;
    if (line === undefined || line.trim() !== "") onLine(line);
  };
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", from)) {
      add(chunk.slice(from, at));
      finish();
      from = at + 1;
    }
    if (from < chunk.length) add(chunk.slice(from));
  };
}
