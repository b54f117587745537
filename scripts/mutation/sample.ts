import { createHash } from "node:crypto";

/** A part of the mutants, the same in every run with the same seed. */
export interface Sample {
  readonly percent: number;
  readonly seed: number;
}

/** Returns true if the sample has the mutant. */
export function isSampled(mutant: string, { percent, seed }: Sample): boolean {
  if (percent >= 100) return true;
  const digest = createHash("sha256").update(`${seed} ${mutant}`).digest();
  return digest.readUInt32BE() / 2 ** 32 < percent / 100;
}

/** Returns the 95 % confidence interval of a share, in percent (Wilson). */
export function intervalOf(count: number, all: number): readonly [number, number] {
  const z = 1.96;
  const share = count / all;
  const middle = share + z ** 2 / (2 * all);
  const half = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2));
  const scale = 100 / (1 + z ** 2 / all);
  return [(middle - half) * scale, (middle + half) * scale];
}
