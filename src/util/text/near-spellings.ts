const MAX_NEAR = 3;

/** The names that were probably meant by a word, best first, three at most; case and Unicode forms do not matter. */
export function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  const scored = names.map((name) => ({ name, score: distance(folded(wanted), folded(name)) }));
  return scored
    .filter(({ score }) => score <= limit)
    .sort((a, b) => a.score - b.score)
    .slice(0, MAX_NEAR)
    .map(({ name }) => name);
}

function folded(name: string): string {
  return name.normalize().toLowerCase();
}

/** How many letters must be added, removed or changed to turn one text into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
