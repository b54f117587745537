import type { PatternTree, Ranges } from "./pattern-tree.ts";
import { intersection, overlaps, readPattern } from "./pattern-tree.ts";

/** How the time to refuse a text grows with its length, at worst: with this power of it, or without bound. */
export type PatternCost = { readonly power: number } | { readonly unbounded: string };

/**
 * Judges an expression by the automaton of its positions. The time is unbounded where a loop can be walked in two ways on
 * the same text; else its power is the number of loops in a row that can share a text, and one more if a match may start anywhere.
 * It errs on the side of danger.
 */
export function costOf(source: string): PatternCost {
  const graph = new Positions();
  graph.build(readPattern(source), false);
  graph.buildLooks();
  if (graph.size > MAX_POSITIONS) return { unbounded: "is too long to be judged" };
  graph.findLoops();
  if (graph.isAmbiguous()) return { unbounded: "can take time without end" };
  const isAnchored = source.startsWith("^") && !source.includes("|");
  return { power: graph.longestChain() + (isAnchored ? 0 : 1) };
}

const MAX_POSITIONS = 2000;
const MAX_PAIRS = 200_000;
/** Shorter counted repeats are written out; longer ones are taken for loops. */
const MAX_COPIES = 4;
const MAX_EXACT_COPIES = 40;
/** Each optional part that can share a text with the next doubles the time. */
const MAX_OPTIONAL = 12;
const NO_LOOP = -1;

interface Part {
  readonly isEmpty: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

class Positions {
  readonly #sets: Ranges[] = [];
  /** From a position to the next ones, with the number of ways. */
  readonly #next: Map<number, number>[] = [];
  readonly #looks: PatternTree[] = [];
  /** For each position the loop it is in. */
  readonly #loops: number[] = [];
  /** Positions that may be passed over, or taken in two ways. */
  readonly #optional = new Set<number>();
  #isSplit = false;

  get size(): number {
    return this.#sets.length;
  }

  build(tree: PatternTree, inLoop: boolean): Part {
    switch (tree.kind) {
      case "set":
        return this.#position(tree.ranges);
      case "look":
        this.#looks.push(tree.body);
        return NOTHING;
      case "choice":
        return this.#either(tree.parts.map((part) => this.build(part, inLoop)));
      case "sequence":
        return this.#inRow(tree.parts.map((part) => this.build(part, inLoop)));
      default:
        return this.#repeat(tree, inLoop);
    }
  }

  /** What looks ahead or behind is matched on its own. */
  buildLooks(): void {
    for (let look = this.#looks.pop(); look !== undefined; look = this.#looks.pop()) this.build(look, false);
  }

  /** To be called once everything is built. */
  findLoops(): void {
    const reach = this.#sets.map((_, position) => this.#reachable(position));
    for (const [position, reached] of reach.entries()) {
      const isInLoop = reached.has(position);
      this.#loops.push(
        isInLoop ? reach.findIndex((other, at) => reached.has(at) && other.has(position)) : NO_LOOP,
      );
    }
  }

  /** True where some loop can be walked in two ways on the same text, or a counted repeat can be split in too many. */
  isAmbiguous(): boolean {
    if (
      this.#isSplit ||
      this.#chain((position) => this.#optional.has(position) || this.#isInLoop(position)) > MAX_OPTIONAL
    ) {
      return true;
    }
    const doubled = this.#next.some((targets, from) =>
      [...targets].some(([to, ways]) => ways > 1 && this.#isSameLoop(from, to)),
    );
    return doubled || this.#hasForkThatJoins();
  }

  /** The most loops in a row that can share a text. */
  longestChain(): number {
    return this.#chain((position) => this.#isInLoop(position));
  }

  #chain(counts: (position: number) => boolean): number {
    const members = this.#sets.map((_, position) => position).filter(counts);
    const longest = new Map<number, number>();
    const measure = (position: number): number => {
      const known = longest.get(position);
      if (known !== undefined) return known;
      longest.set(position, 1);
      let most = 1;
      for (const other of members) {
        if (other === position || this.#isSameLoop(position, other) || !this.#leads(position, other))
          continue;
        most = Math.max(most, 1 + measure(other));
      }
      longest.set(position, most);
      return most;
    };
    return Math.max(0, ...members.map(measure));
  }

  #position(ranges: Ranges): Part {
    const position = this.#sets.push(ranges) - 1;
    this.#next.push(new Map());
    return { isEmpty: false, first: [position], last: [position] };
  }

  #either(parts: readonly Part[]): Part {
    const first = parts.flatMap((part) => part.first);
    // Two ways to take the same character are as bad as a character that may be passed over.
    for (const position of first) {
      const isShared = first.some(
        (other) => other !== position && overlaps(this.#sets[position] ?? [], this.#sets[other] ?? []),
      );
      if (isShared) this.#optional.add(position);
    }
    return { isEmpty: parts.some((part) => part.isEmpty), first, last: parts.flatMap((part) => part.last) };
  }

  #inRow(parts: readonly Part[]): Part {
    return parts.reduce((before, after) => {
      this.#connect(before.last, after.first);
      return {
        isEmpty: before.isEmpty && after.isEmpty,
        first: before.isEmpty ? [...before.first, ...after.first] : before.first,
        last: after.isEmpty ? [...before.last, ...after.last] : after.last,
      };
    }, NOTHING);
  }

  #repeat({ body, least, most }: Repeat, inLoop: boolean): Part {
    if (most === 0) return NOTHING;
    // An exact count of one set can only be walked in one way.
    const isRun = body.kind === "set" && !inLoop && least === most;
    if (isRun || most === 1) return this.#soften(this.build(body, inLoop), least);
    const copies = least === most ? MAX_EXACT_COPIES : MAX_COPIES;
    if (most <= copies && this.size < MAX_POSITIONS) {
      const parts = Array.from({ length: most }, (_, index) =>
        this.#soften(this.build(body, inLoop), index < least ? 1 : 0),
      );
      if (most > MAX_COPIES && parts[0]?.isEmpty === true) this.#isSplit = true;
      return this.#inRow(parts);
    }
    const part = this.build(body, true);
    if (part.isEmpty && least > 1) this.#isSplit = true;
    this.#connect(part.last, part.first);
    return least === 0 ? { ...part, isEmpty: true } : part;
  }

  #soften(part: Part, least: number): Part {
    if (least > 0) return part;
    for (const position of part.first) this.#optional.add(position);
    return { ...part, isEmpty: true };
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const position of from) {
      const targets = this.#next[position];
      for (const target of to) targets?.set(target, (targets.get(target) ?? 0) + 1);
    }
  }

  #isInLoop(position: number): boolean {
    return this.#loops[position] !== NO_LOOP;
  }

  #isSameLoop(a: number, b: number): boolean {
    return this.#isInLoop(a) && this.#loops[a] === this.#loops[b];
  }

  #reachable(start: number, through?: Ranges): ReadonlySet<number> {
    const seen = new Set<number>();
    const open = [start];
    for (let position = open.pop(); position !== undefined; position = open.pop()) {
      for (const target of this.#next[position]?.keys() ?? []) {
        if (seen.has(target) || (through !== undefined && !overlaps(this.#sets[target] ?? [], through)))
          continue;
        seen.add(target);
        open.push(target);
      }
    }
    return seen;
  }

  #leads(from: number, to: number): boolean {
    const shared = intersection(this.#sets[from] ?? [], this.#sets[to] ?? []);
    return shared.length > 0 && this.#reachable(from, shared).has(to);
  }

  /** Walks pairs of positions over the same text: apart from one position and together again inside one loop. */
  #hasForkThatJoins(): boolean {
    const size = this.size;
    const starts = this.#sets.map((_, position) => position).filter((position) => this.#isInLoop(position));
    const seen = new Set(starts.map((position) => position * size + position));
    const open = [...seen];
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      if (seen.size > MAX_PAIRS) return true;
      for (const target of this.#pairsAfter(pair)) {
        if (isTogether(target, size) && !isTogether(pair, size)) return true;
        if (seen.has(target)) continue;
        seen.add(target);
        open.push(target);
      }
    }
    return false;
  }

  /** The pairs that one more character leads to, within the same loop. */
  #pairsAfter(pair: number): readonly number[] {
    const size = this.size;
    const [a, b] = [Math.floor(pair / size), pair % size];
    const pairs: number[] = [];
    for (const nextA of this.#next[a]?.keys() ?? []) {
      if (!this.#isSameLoop(a, nextA)) continue;
      for (const nextB of this.#next[b]?.keys() ?? []) {
        if (!this.#isSameLoop(nextA, nextB) || !overlaps(this.#sets[nextA] ?? [], this.#sets[nextB] ?? []))
          continue;
        pairs.push(nextA < nextB ? nextA * size + nextB : nextB * size + nextA);
      }
    }
    return pairs;
  }
}

type Repeat = Extract<PatternTree, { readonly kind: "repeat" }>;

const NOTHING: Part = { isEmpty: true, first: [], last: [] };

function isTogether(pair: number, size: number): boolean {
  return Math.floor(pair / size) === pair % size;
}
