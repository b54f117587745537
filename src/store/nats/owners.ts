import { randomBytes } from "node:crypto";
import {
  currentProcess,
  isAlive,
  isSameMachine,
  isSameProcess,
  type ProcessIdentity,
} from "../../system/process/identity.ts";
import type { LastValue, LastValues } from "./last-values.ts";

/** An owner of calls: one journal in one process. */
export interface Owner {
  readonly id: string;
  /** No open call of the owner has a row before this sequence. */
  readonly from: number;
}

/** The owners of a journal. Each renews its lease; without that it counts as ended, also if its machine cannot be reached. */
export type Owners = Awaited<ReturnType<typeof registerOwner>>;

interface OwnersOptions {
  readonly values: LastValues;
  /** The beginning of the subjects. */
  readonly root: string;
  readonly leaseMs: number;
  /** Returns the lowest sequence of an open call; undefined if none is open. */
  readonly openFrom: () => number | undefined;
  readonly onRenewed: () => void;
}

/** Registers this process as an owner, and renews its lease until `close`. */
export async function registerOwner(options: OwnersOptions) {
  const { values, root, leaseMs, openFrom, onRenewed } = options;
  const own = randomBytes(8).toString("hex");
  const process = currentProcess();
  let renewedAt = 0;
  const renew = async (): Promise<void> => {
    const at = Date.now();
    await values.put(`${root}.${own}`, JSON.stringify({ process, from: openFrom() }));
    renewedAt = at;
  };
  await renew();
  const timer = setInterval(() => {
    renew().then(onRenewed, () => undefined);
  }, leaseMs / 4).unref();

  /** All times are of the clock of the servers, the current one too: it is that of the own lease. */
  const list = async () => {
    await renew();
    const leases = (await values.list(`${root}.*`)).map(toLease);
    const now = Math.max(...leases.map(({ renewedAt: at }) => at));
    return leases.map((lease) => ({ ...lease, isAlive: isLeaseAlive(lease, now - leaseMs) }));
  };
  return {
    /** The id of this journal. */
    own,
    /** Renews the own lease if it may have run out. Rejects if the servers cannot be reached. */
    renewIfOld: async (): Promise<void> => (Date.now() - renewedAt > leaseMs / 2 ? renew() : undefined),
    /** Returns a sequence before which no open call has a row. */
    async openFrom(): Promise<number> {
      const leases = (await values.list(`${root}.*`)).map(toLease);
      return Math.min(...leases.map(({ from }) => from));
    },
    /** Returns the owners that have ended. */
    ended: async (): Promise<readonly Owner[]> =>
      (await list()).filter((owner) => !owner.isAlive && owner.id !== own),
    /** Returns true for a process of this machine that runs, and for one of another machine whose lease is valid. */
    async isAlive(other: ProcessIdentity): Promise<boolean> {
      if (isSameMachine(other)) return isAlive(other);
      return (await list()).some((one) => one.isAlive && isSameProcess(one.process, other));
    },
    /** Removes an owner whose calls are all settled. */
    async remove(id: string): Promise<void> {
      const row = await values.get(`${root}.${id}`);
      if (row !== undefined) await values.delete(row.sequence);
    },
    close: (): void => clearInterval(timer),
  };
}

interface Lease extends Owner {
  readonly process: ProcessIdentity;
  readonly renewedAt: number;
}

function toLease({ subject, sequence, storedAt, text }: LastValue): Lease {
  const { process, from = sequence } = JSON.parse(text) as { process: ProcessIdentity; from?: number };
  return { id: subject.slice(subject.lastIndexOf(".") + 1), process, from, renewedAt: storedAt };
}

/** Processes of this machine are looked up, so that the end of one is known at once. */
function isLeaseAlive({ process, renewedAt }: Lease, oldest: number): boolean {
  return isSameMachine(process) ? isAlive(process) && renewedAt > oldest : renewedAt > oldest;
}
