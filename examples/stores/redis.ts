// Stored documents in Redis, for what several processes share: memories, grants, sessions. ../store-contracts.ts runs the contract of `toolwright/testing` on it.
import { ToolError, type Collection, type Collections, type Json } from "toolwright";

/** What it needs of a client: `createClient().connect()` of the package `redis` has it. One connection, which nothing else uses. */
export interface RedisClient {
  sendCommand(command: readonly string[]): Promise<unknown>;
}

/** How far a collection may exceed its limit before the documents written longest ago are removed. */
const SLACK = 8;

/** Creates collections below a prefix of keys. */
export function createRedisCollections(redis: RedisClient, prefix = "toolwright"): Collections {
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  const send = (...command: string[]): Promise<unknown> => redis.sendCommand(command);

  /** WATCH holds for the connection, so one piece of work follows the other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (isClosed) return Promise.reject(new ToolError("UNAVAILABLE", "the store is closed"));
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  }

  function open(name: string, { limit }: { readonly limit?: number } = {}): Collection {
    const values = `${prefix}:${name}:values`;
    // Members of one score are in the order of their bytes.
    const keys = `${prefix}:${name}:keys`;
    const writtenKey = `${prefix}:${name}:written`;

    const write = (key: string, value: Json | undefined, turn: string): string[][] =>
      value === undefined
        ? [
            ["HDEL", values, key],
            ["ZREM", keys, key],
            ["ZREM", writtenKey, key],
          ]
        : [
            ["HSET", values, key, toText(value)],
            ["ZADD", keys, "0", key],
            ["ZADD", writtenKey, turn, key],
          ];

    /** Reads, changes and writes; from the start again if another process wrote meanwhile. */
    async function update(
      key: string,
      change: (value: Json | undefined) => Json | undefined,
    ): Promise<Json | undefined> {
      checkKey(key);
      for (;;) {
        await send("WATCH", values);
        const stored = await send("HGET", values, key);
        let value: Json | undefined;
        try {
          value = change(fromText(stored));
          if (value !== undefined) toText(value);
        } catch (error) {
          await send("UNWATCH");
          throw error;
        }
        const turn = String(await send("INCR", `${prefix}:turn`));
        await send("MULTI");
        for (const command of write(key, value, turn)) await send(...command);
        if ((await send("EXEC")) === null) continue;
        await trim();
        return value;
      }
    }

    async function trim(): Promise<void> {
      if (limit === undefined) return;
      const count = Number(await send("ZCARD", writtenKey));
      if (count <= limit + SLACK) return;
      const oldest = (await send("ZRANGE", writtenKey, "0", String(count - limit - 1))) as string[];
      for (const key of oldest) for (const command of write(key, undefined, "")) await send(...command);
    }

    return {
      get: (key) => inTurn(async () => fromText(await send("HGET", values, key))),
      set: (key, value) => inTurn(async () => void (await update(key, () => value))),
      update: (key, change) => inTurn(() => update(key, change)),
      delete: (key) =>
        inTurn(async () => {
          const isThere = (await send("HEXISTS", values, key)) === 1;
          if (isThere) await update(key, () => undefined);
          return isThere;
        }),
      list: ({ prefix: start = "", limit: most = -1 } = {}) =>
        inTurn(async () => {
          // 0xff is in no UTF-8 text, but a client sends text: the prefix is checked here.
          const all = (await send(
            "ZRANGE",
            keys,
            start === "" ? "-" : `[${start}`,
            "+",
            "BYLEX",
          )) as string[];
          const end = all.findIndex((key) => !key.startsWith(start));
          const range = (end < 0 ? all : all.slice(0, end)).slice(0, most < 0 ? undefined : most);
          const texts = await Promise.all(range.map((key) => send("HGET", values, key)));
          return range.flatMap((key, index) => {
            const value = fromText(texts[index]);
            return value === undefined ? [] : [{ key, value }];
          });
        }),
    };
  }

  return {
    open,
    async close() {
      isClosed = true;
      await last;
    },
  };
}

function toText(value: Json): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new ToolError("INVALID_INPUT", "the value is not JSON");
  return text;
}

function fromText(text: unknown): Json | undefined {
  return typeof text === "string" ? (JSON.parse(text) as Json) : undefined;
}

function checkKey(key: string): void {
  if (!key.isWellFormed()) throw new ToolError("INVALID_INPUT", "the key is not well-formed text");
}
