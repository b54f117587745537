import { createRandom, type Random } from "../../../scripts/soak/random.ts";
import { isObject, type Json, type JsonObject } from "../../../src/core/json.ts";

const TEXTS = [
  "",
  " ",
  "\u0000",
  "\u202e",
  "💥",
  "ä".normalize("NFD"),
  "a".repeat(5000),
  "../..",
  "{}",
  "null",
  "\n",
];
const VALUES: readonly Json[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  "1",
  "true",
  [],
  {},
  [[]],
  { "": {} },
  "💥",
];

type Place = readonly [container: Record<string, Json>, key: string];

/**
 * Returns texts that are a message changed in one place, the same for each seed. More than half of the changes are such that a reader still reaches what the
 * message is for: another order or spacing, escapes, a member twice, a member that no schema knows. The others remove a part, replace it by another value,
 * nest it, or cut the text.
 */
export function oddMessages(messages: readonly JsonObject[], count: number, seed: number): readonly string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const message = structuredClone(messages[index % messages.length]) as Record<string, Json>;
    return random.next() < 0.7 ? respelled(message, random) : changed(message, random);
  });
}

/** The same message in other characters. */
function respelled(message: JsonObject, random: Random): string {
  const text = JSON.stringify(message);
  switch (random.between(0, 3)) {
    case 0:
      return JSON.stringify(reversed(message));
    case 1:
      return text.replaceAll(/(?<=[{,]|":)(?=["{[])/g, " \t");
    case 2:
      return text.replaceAll(
        /(?<=\w)[a-z](?=\w)/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    default: {
      // The last one counts.
      const [key = ""] = Object.keys(message);
      return `{${JSON.stringify(key)}:${JSON.stringify(random.pick(VALUES))},${text.slice(1)}`;
    }
  }
}

function changed(message: Record<string, Json>, random: Random): string {
  const places = placesIn(message);
  const [container, key] = random.pick(places);
  const kind = random.between(0, 7);
  if (kind <= 2) message[random.pick(["extra", "x-more", "_meta2", "toString", "ä"])] = random.pick(VALUES);
  else if (kind === 3)
    container[key] = typeof container[key] === "string" ? random.pick(TEXTS) : JSON.stringify(container[key]);
  else if (kind === 4) container[key] = random.pick(VALUES);
  else if (kind === 5) Reflect.deleteProperty(container, key);
  else if (kind === 6) container[key] = nested(container[key] ?? null, random.between(1, 200));
  const text = JSON.stringify(message);
  return kind === 7 ? text.slice(0, random.between(1, text.length - 1)) : text;
}

function placesIn(container: Record<string, Json>): readonly Place[] {
  return Object.entries(container).flatMap(([key, value]): readonly Place[] => [
    [container, key],
    ...(typeof value === "object" && value !== null ? placesIn(value as Record<string, Json>) : []),
  ]);
}

function reversed(value: Json): Json {
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, one]) => [key, reversed(one)]),
      )
    : value;
}

function nested(value: Json, depth: number): Json {
  let whole = value;
  for (let level = 0; level < depth; level += 1) whole = level % 2 === 0 ? [whole] : { a: whole };
  return whole;
}
