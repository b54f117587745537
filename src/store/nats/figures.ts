import { UNITS, unitOf, type Figures } from "../figures/figures.ts";
import { toCounted } from "../figures/listed-figures.ts";
import { createTally } from "../figures/tally.ts";
import type { NatsJournal } from "./journal.ts";

const STEP = 2000;
/** A request waits so long for calls that are not counted yet; the rest is counted in the background. */
const WAIT_MS = 150;

/** Creates the figures of a journal in NATS: each process counts its calls once, in its own memory, from its first request on. */
export function createNatsFigures(journal: Pick<NatsJournal, "settledFrom">): Figures {
  const tally = createTally(UNITS);
  let next = 1;
  let oldest: number | null = null;
  let counting: Promise<void> | undefined;
  const countAll = async (): Promise<void> => {
    for (let isEnd = false; !isEnd;) {
      // In order: the next step begins where this one has ended.
      const step = await journal.settledFrom(next, STEP);
      for (const record of step.records) {
        if (record.answer === null) continue;
        tally.add(toCounted(record, record.answer));
        oldest = Math.min(oldest ?? record.receivedAt, record.receivedAt);
      }
      ({ next, isEnd } = step);
    }
  };
  return {
    async count({ since, until, bucketMs }) {
      counting ??= countAll().finally(() => void (counting = undefined));
      const late = new Promise<"late">((resolve) => void setTimeout(resolve, WAIT_MS, "late").unref());
      const isPartial = (await Promise.race([counting, late])) === "late";
      const unit = unitOf(bucketMs);
      const isWanted = (cell: { readonly unit: number; readonly at: number }): boolean =>
        cell.unit === unit && cell.at >= since && cell.at < until;
      return {
        cells: tally.cells().filter(isWanted),
        usage: tally.usages().filter(isWanted),
        countedSince: oldest,
        isPartial,
      };
    },
  };
}
