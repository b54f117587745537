import { join } from "node:path";
import type { CallRecord } from "../../core/store/journal.ts";
import type { ProcessIdentity } from "../../system/process/identity.ts";
import type { Store } from "../replaceable-store.ts";
import { openArtifactObjects, openNatsArtifacts } from "./artifacts.ts";
import { openNatsCollections } from "./collections.ts";
import { createNatsFigures } from "./figures.ts";
import { openNatsJournal } from "./journal.ts";
import { textsOf } from "./last-values.ts";
import { openObjects, useNats, type NatsAccess } from "./nats.ts";
import { defined } from "../../util/json/defined.ts";

export interface NatsStoreOptions {
  /** A folder on this machine, for artifacts that are being written. */
  readonly folder: string;
  /** How long calls are stored after their last change; default: forever. */
  readonly keepCallsMs?: number;
  /** How long a process may be silent before its open calls are settled; default: 20 s. */
  readonly leaseMs?: number;
  /** Returns false for a call that another store counts. Default: all are counted. */
  readonly isCounted?: (record: CallRecord) => Promise<boolean>;
}

/** Texts that were replaced are deleted after this time. */
const UNUSED_MS = 60 * 60 * 1000;

/** Opens the store of a namespace in NATS. Processes on any machine may open it at once. Never closes the connection. */
export async function openStoreInNats(access: NatsAccess, options: NatsStoreOptions): Promise<Store> {
  const records = await openNatsRecords(access, options);
  const artifacts = await openNatsArtifacts(await useNats(access), {
    folder: join(options.folder, "artifacts"),
  });
  return {
    ...records,
    artifacts,
    close: async () => void (await Promise.all([records.close(), artifacts.close()])),
  };
}

/** Creates every stream and bucket of the store of a namespace, unless it exists. */
export async function createNatsStore(access: NatsAccess, keepCallsMs: number): Promise<void> {
  const records = await openNatsRecords(access, { keepCallsMs });
  await records.close();
  const nats = await useNats(access);
  await openArtifactObjects(nats);
  for (const part of ["journal", "documents"])
    await openObjects(nats, textsOf(`${nats.names.store}-${part}`));
}

/** Opens the journal and the collections of a namespace, without the artifacts. */
export async function openNatsRecords(
  access: NatsAccess,
  { keepCallsMs: maxAgeMs, leaseMs, isCounted }: Omit<NatsStoreOptions, "folder">,
): Promise<Omit<Store, "artifacts">> {
  const nats = await useNats(access);
  const journal = await openNatsJournal(nats, defined({ maxAgeMs, leaseMs }));
  const collections = await openNatsCollections(nats, (process) =>
    journal.isAlive(process as ProcessIdentity),
  );
  const timer = setInterval(() => {
    for (const part of [journal, collections])
      part.deleteUnusedTexts(Date.now() - UNUSED_MS).catch(() => undefined);
  }, UNUSED_MS).unref();
  return {
    journal,
    collections,
    figures: createNatsFigures(journal, isCounted),
    async close() {
      clearInterval(timer);
      await Promise.all([journal.close(), collections.close()]);
    },
  };
}
