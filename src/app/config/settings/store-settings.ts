import { isAbsolute, resolve } from "node:path";
import { integer, oneOf, string } from "../../../schema/define/schema.ts";
import { setting } from "./setting.ts";

export const STORE = setting({
  summary: "folder in which calls and artifacts are stored, :memory:, or nats: see docs/fleet.md",
  flag: "store",
  variable: "TOOLWRIGHT_STORE",
  fallback: "",
  schema: string(undefined, {
    pattern: "^(:memory:$|nats$|/|~(/|$))",
    expected: "an absolute path, one that begins with ~/, :memory: or nats",
  }),
  fromText: (text, cwd) =>
    text === ":memory:" || text === "nats" || isAbsolute(text) || /^~(\/|$)/.test(text)
      ? text
      : resolve(cwd, text),
});

export const KEEP_DAYS = setting({
  summary: "days for which calls and their answers are stored",
  fallback: 90,
  schema: integer(undefined, { min: 1, max: 36_500 }),
});

export const KEEP_MEGABYTES = setting({
  summary: "size of the database of the store (MB) above which the oldest answered calls are deleted",
  fallback: 2048,
  schema: integer(undefined, { min: 16, max: 1_048_576 }),
});

export const LOST_STORE = setting<"fail" | "new">({
  summary: "whether calls fail or go to a new store when the store is deleted or moved",
  fallback: "fail",
  schema: oneOf(["fail", "new"]),
});
