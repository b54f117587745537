import type { CallRecord } from "../../core/store/journal.ts";
import { createCallCounts } from "../figures/call-counts.ts";
import { countWithin } from "../figures/count-within.ts";
import { UNITS, type Figures } from "../figures/figures.ts";
import { toCounted } from "../figures/listed-figures.ts";
import type { NatsJournal } from "./journal.ts";

const STEP = 2000;

/** Creates the figures of a journal in NATS: each process counts its calls once, in its own memory, from its first request on. */
export function createNatsFigures(
  journal: Pick<NatsJournal, "settledFrom">,
  /** Returns false for a call that another store counts. Default: all are counted. */
  isCounted: (record: CallRecord) => Promise<boolean> = async () => true,
): Figures {
  const counts = createCallCounts(UNITS);
  let next = 1;
  let oldest: number | null = null;
  const countAll = async (): Promise<void> => {
    for (let isEnd = false; !isEnd;) {
      // In order: the next step begins where this one has ended.
      const step = await journal.settledFrom(next, STEP);
      for (const record of step.records) {
        if (record.answer === null || !(await isCounted(record))) continue;
        counts.add(toCounted(record, record.answer));
        oldest = Math.min(oldest ?? record.receivedAt, record.receivedAt);
      }
      ({ next, isEnd } = step);
    }
  };
  const counting = countWithin(countAll);
  return {
    async count(query) {
      const isPartial = await counting.isPartial();
      return { ...counts.read(query), countedSince: oldest, isPartial };
    },
  };
}
