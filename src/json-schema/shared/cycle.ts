/** Returns whether the edges of a graph lead from a node back to itself. */
export function hasCycle(edges: ReadonlyMap<number, readonly number[]>): boolean {
  const done = new Set<number>();
  const open = new Set<number>();
  const visit = (node: number): boolean => {
    if (open.has(node)) return true;
    if (done.has(node)) return false;
    open.add(node);
    const isCyclic = (edges.get(node) ?? []).some(visit);
    open.delete(node);
    done.add(node);
    return isCyclic;
  };
  return [...edges.keys()].some(visit);
}
