export interface Range {
  readonly from: number;
  readonly to: number;
}

interface Node {
  readonly id: string;
  readonly parentId: string | null;
  readonly from: number;
}

/** Returns spans with parents before what belongs to them, earlier ones first; one whose parent is unknown is at the top. */
export function inTree<S extends Node>(
  spans: readonly S[],
): readonly { readonly span: S; readonly depth: number }[] {
  const ids = new Set(spans.map(({ id }) => id));
  const below = Map.groupBy(spans, ({ parentId, id }) =>
    parentId !== null && parentId !== id && ids.has(parentId) ? parentId : "",
  );
  const from = (parent: string, depth: number): readonly { readonly span: S; readonly depth: number }[] =>
    (below.get(parent) ?? [])
      .toSorted((left, right) => left.from - right.from)
      .flatMap((span) => [{ span, depth }, ...from(span.id, depth + 1)]);
  return from("", 0);
}

/** Returns where a time is in a range, in percent; what is outside has no width. */
export function placeOf(
  from: number,
  to: number,
  range: Range,
): { readonly left: number; readonly width: number } {
  const share = (at: number): number =>
    Math.min(100, Math.max(0, ((at - range.from) / (range.to - range.from)) * 100));
  return { left: share(from), width: share(to) - share(from) };
}

/** Returns a range of another size around the same middle, or moved by a share of its size; never outside the whole. */
export function zoomed(
  range: Range,
  whole: Range,
  { by = 1, move = 0 }: { readonly by?: number; readonly move?: number },
): Range {
  const size = Math.min(whole.to - whole.from, Math.max(1, (range.to - range.from) * by));
  const middle = (range.from + range.to) / 2 + move * (range.to - range.from);
  const from = Math.min(Math.max(whole.from, middle - size / 2), whole.to - size);
  return { from, to: from + size };
}
