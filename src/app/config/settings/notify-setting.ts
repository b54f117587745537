import { isAbsolute } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { list, oneOf, string, type Infer } from "../../../schema/define/schema.ts";
import { parsed } from "./setting.ts";

/** How the REPL notifies: not at all, by a bell, by the desktop, by a sequence that terminals show as a notification, or by a program with its arguments. */
const SCHEMA = oneOf([
  oneOf(["off", "bell", "desktop", "osc"]),
  list(string(), "A program, by name or absolute path, and its arguments", { min: 1 }),
]);
export type Notify = Infer<typeof SCHEMA>;

export const NOTIFY = parsed<Notify, Notify>({
  summary:
    "how the REPL notifies when it waits for you or a long task ends: off, bell, desktop, osc, or a command; see docs/repl.md",
  fallback: "bell",
  schema: SCHEMA,
  parse: parseNotify,
});

/** Returns the value. Throws on an empty name, and on a relative program: it could be an untrusted program of the current folder. */
export function parseNotify(notify: Notify, place: string): Notify {
  const [program] = typeof notify === "string" ? [notify] : notify;
  if (!program)
    throw new ToolError("INVALID_INPUT", `${place}: the name of the program is empty`, {
      hint: 'set "off", "bell", "desktop", "osc" or a list that begins with a program',
    });
  if (!program.includes("/") || isAbsolute(program)) return notify;
  throw new ToolError("INVALID_INPUT", `${place}: ${program} is a different program in each folder`, {
    hint: "use an absolute path, or a name on PATH",
  });
}
