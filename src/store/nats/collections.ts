import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type {
  Collection,
  CollectionOptions,
  Collections,
  StoredDocument,
} from "../../core/store/collection.ts";
import { createSerializer } from "../../util/async/serialize.ts";
import { collectionsClosed, toDocumentText } from "../../util/json/memory-collections.ts";
import { openLastValues, type LastValue, type LastValues } from "./last-values.ts";
import type { Nats } from "./nats.ts";
import { toFilter, toToken, toTokens } from "./subjects.ts";

/** A collection is trimmed after this number of writes: counting costs more than writing. */
const TRIM_EVERY = 16;

/** Opens the collections of a namespace, which processes on any machine may share. */
export async function openNatsCollections(
  nats: Nats,
  isAlive: NonNullable<Collection["isAlive"]>,
): Promise<Collections & Pick<LastValues, "deleteUnusedTexts">> {
  const root = `${nats.names.root}.document`;
  const values = await openLastValues(nats, {
    stream: `${nats.names.store}-documents`,
    subjects: [`${root}.>`],
  });
  let isClosed = false;
  const ifOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw collectionsClosed();
    return work();
  };
  return {
    open: (name, options = {}) => ({
      ...openCollection(`${root}.${toToken(name)}`, options, values, ifOpen),
      isAlive,
    }),
    deleteUnusedTexts: (before) => values.deleteUnusedTexts(before),
    async close() {
      isClosed = true;
    },
  };
}

function openCollection(
  root: string,
  { limit }: CollectionOptions,
  values: LastValues,
  ifOpen: <T>(work: () => Promise<T>) => Promise<T>,
): Omit<Collection, "isAlive"> {
  const serialize = createSerializer();
  const subjectOf = (key: string): string => [root, ...toTokens(key)].join(".");
  const find = async (key: string): Promise<LastValue | undefined> =>
    key.isWellFormed() ? values.get(subjectOf(key)) : undefined;
  const write = async (key: string, value: Json, expected?: number): Promise<boolean> => {
    // The subject of a long key has only its hash.
    const text = `[${JSON.stringify(key)},${toDocumentText(key, value)}]`;
    const sequence = await values.put(subjectOf(key), text, expected);
    if (sequence === "changed") return false;
    if (limit !== undefined && sequence % TRIM_EVERY === 0) await trim(values, `${root}.>`, limit);
    return true;
  };
  const update: Collection["update"] = async (key, change) => {
    for (;;) {
      const row = await find(key);
      const value = change(row === undefined ? undefined : toDocument(row).value);
      if (value === undefined) {
        if (row === undefined || (await values.delete(row.sequence))) return undefined;
      } else if (await write(key, value, row?.sequence ?? 0))
        return JSON.parse(JSON.stringify(value)) as Json;
    }
  };
  return {
    get: (key) =>
      ifOpen(async () => {
        const row = await find(key);
        return row === undefined ? undefined : toDocument(row).value;
      }),
    set: (key, value) => ifOpen(async () => void (await write(key, value))),
    // Changes of one process wait for each other, so that they do not have to be repeated.
    update: (key, change) => ifOpen(() => serialize(() => update(key, change), [key])),
    delete: (key) =>
      ifOpen(async () => {
        let row = await find(key);
        while (row !== undefined && !(await values.delete(row.sequence))) row = await find(key);
        return row !== undefined;
      }),
    list: ({ prefix = "", limit: most } = {}) =>
      ifOpen(async () => {
        if (!prefix.isWellFormed()) throw new ToolError("INVALID_INPUT", "a prefix must be well-formed text");
        const documents = (await values.list(toFilter(root, prefix))).map(toDocument);
        return documents
          .filter(({ key }) => key.startsWith(prefix))
          .map((document) => ({ document, bytes: Buffer.from(document.key) }))
          .toSorted((left, right) => Buffer.compare(left.bytes, right.bytes))
          .slice(0, most)
          .map(({ document }) => document);
      }),
  };
}

function toDocument({ text }: LastValue): StoredDocument {
  const [key, value] = JSON.parse(text) as [string, Json];
  return { key, value };
}

/** Deletes all but the newest documents. */
async function trim(values: LastValues, filter: string, limit: number): Promise<void> {
  const most = (await values.count(filter)) - limit;
  const oldest = most <= 0 ? [] : await values.list(filter, { limit: most, withoutText: true });
  await Promise.all(oldest.map(({ sequence }) => values.delete(sequence)));
}
