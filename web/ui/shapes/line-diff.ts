/** A middle part of more cells is shown as removed and added: comparing it would take too long. */
const MAX_CELLS = 4_000_000;
const CONTEXT = 3;

/** Returns the difference of two texts, line by line: `-` only left, `+` only right, a blank for both; long equal parts are left out. */
export function lineDiff(left: string, right: string): string {
  const [from, to] = [left.split("\n"), right.split("\n")];
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end))
    end += 1;
  const middle = middleOf(from.slice(start, from.length - end), to.slice(start, to.length - end));
  const same = (lines: readonly string[]): readonly string[] => lines.map((line) => ` ${line}`);
  return folded([...same(from.slice(0, start)), ...middle, ...same(from.slice(from.length - end))]).join(
    "\n",
  );
}

function middleOf(from: readonly string[], to: readonly string[]): readonly string[] {
  if (from.length * to.length > MAX_CELLS)
    return [...from.map((line) => `-${line}`), ...to.map((line) => `+${line}`)];
  const width = to.length + 1;
  // The length of the longest common part of what follows each pair of lines.
  const lengths = new Uint32Array((from.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = from.length - 1; row >= 0; row -= 1)
    for (let column = to.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        from[row] === to[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < from.length || column < to.length) {
    if (row < from.length && column < to.length && from[row] === to[column]) {
      lines.push(` ${from[row]}`);
      row += 1;
      column += 1;
    } else if (column >= to.length || (row < from.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push(`-${from[row]}`);
      row += 1;
    } else {
      lines.push(`+${to[column]}`);
      column += 1;
    }
  }
  return lines;
}

/** Leaves out equal lines that are far from a difference. */
function folded(lines: readonly string[]): readonly string[] {
  const changes = lines.flatMap((line, index) => (line.startsWith(" ") ? [] : [index]));
  const isNear = new Set(
    changes.flatMap((index) => Array.from({ length: CONTEXT * 2 + 1 }, (_, near) => index - CONTEXT + near)),
  );
  return lines.flatMap((line, index) => {
    if (isNear.has(index)) return [line];
    const isFirst = index === 0 || isNear.has(index - 1);
    return isFirst ? ["@@ equal lines are left out @@"] : [];
  });
}
