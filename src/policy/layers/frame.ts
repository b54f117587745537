import type { Ceiling, Mode } from "../../core/policy.ts";
import type { CompiledCeiling } from "./ceiling.ts";
import { createCeilings } from "./ceiling.ts";
import type { RuleSetting } from "../match/compile-rule.ts";
import { decideByModes, strictestModes } from "./modes.ts";

/** What bounds a call whatever it would do. */
export interface Frame {
  /** The policy's own and those of the ceilings. */
  readonly modes: readonly Mode[];
  /** What is of low risk runs without a question. */
  readonly lowIsFree: boolean;
  readonly ceilings: readonly CompiledCeiling[];
}

export interface Frames {
  under(ceilings: readonly Ceiling[] | undefined): Frame;
  compile(ceiling: Ceiling): CompiledCeiling;
}

/** Works a list of ceilings out once, for as long as somebody holds it: a caller has the same one for all of its calls. */
export function createFrames(modes: readonly Mode[], setting: RuleSetting): Frames {
  const compile = createCeilings(setting);
  const known = new WeakMap<readonly Ceiling[], Frame>();
  const make = (ceilings: readonly CompiledCeiling[]): Frame => {
    const all = strictestModes([...modes, ...ceilings.flatMap(({ mode }) => mode ?? [])]);
    return { modes: all, lowIsFree: decideByModes(all, "", "low").kind === "allow", ceilings };
  };
  const plain = make([]);
  return {
    compile,
    under(ceilings) {
      if (ceilings === undefined || ceilings.length === 0) return plain;
      const found = known.get(ceilings);
      // A list that was changed since is another one.
      if (
        found?.ceilings.length === ceilings.length &&
        found.ceilings.every(({ source }, index) => source === ceilings[index])
      )
        return found;
      const made = make(ceilings.map(compile));
      known.set(ceilings, made);
      return made;
    },
  };
}
