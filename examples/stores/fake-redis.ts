// Redis in memory, for one connection and the commands of redis.ts: so that the example runs without a server.
import type { RedisClient } from "./redis.ts";

/** Answers the commands of the example as Redis does, for one connection. */
export function createFakeRedis(): RedisClient {
  const hashes = new Map<string, Map<string, string>>();
  const sets = new Map<string, Map<string, number>>();
  let turn = 0;
  let queue: (readonly string[])[] | undefined;
  const read: Readonly<Record<string, (name: string, first: string, second: string) => unknown>> = {
    WATCH: () => "OK",
    UNWATCH: () => "OK",
    INCR: () => (turn += 1),
    HGET: (name, key) => open(hashes, name).get(key) ?? null,
    HEXISTS: (name, key) => (open(hashes, name).has(key) ? 1 : 0),
    HSET: (name, key, value) => void open(hashes, name).set(key, value),
    HDEL: (name, key) => void open(hashes, name).delete(key),
    ZADD: (name, score, member) => void open(sets, name).set(member, Number(score)),
    ZREM: (name, member) => void open(sets, name).delete(member),
    ZCARD: (name) => open(sets, name).size,
    ZRANGE: (name, from, to) => range(open(sets, name), from, to),
  };
  const run = ([command = "", name = "", first = "", second = ""]: readonly string[]): unknown =>
    read[command]?.(name, first, second);
  return {
    async sendCommand(command) {
      if (command[0] === "MULTI") queue = [];
      else if (command[0] === "EXEC") {
        const commands = queue ?? [];
        queue = undefined;
        return commands.map(run);
      } else if (queue === undefined) return run(command);
      else queue.push(command);
      return "OK";
    },
  };
}

/** Members by their bytes if `to` is `+`, else by their scores. */
function range(members: ReadonlyMap<string, number>, from: string, to: string): readonly string[] {
  if (to === "+")
    return [...members.keys()]
      .filter((key) => from === "-" || compare(key, from.slice(1)) >= 0)
      .toSorted(compare);
  return [...members]
    .toSorted(([, a], [, b]) => a - b)
    .slice(Number(from), Number(to) + 1)
    .map(([member]) => member);
}

function open<T>(all: Map<string, Map<string, T>>, name: string): Map<string, T> {
  const values = all.get(name) ?? new Map<string, T>();
  all.set(name, values);
  return values;
}

const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
