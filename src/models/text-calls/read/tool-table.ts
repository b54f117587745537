import { isObject, type JsonObject } from "../../../core/json.ts";
import { matchKey } from "../values/match-key.ts";

/** The part of a tool that a reader needs. */
export interface KnownTool {
  readonly name: string;
  /** JSON Schema. */
  readonly input: JsonObject;
  /** Other names that calls may have. A call without a marker is found by the tool's own name only. */
  readonly aliases?: readonly string[];
}

/** The tools that the model was shown. */
export type ToolTable = ReturnType<typeof createToolTable>;

export function createToolTable(tools: readonly KnownTool[]) {
  const names = new Set(tools.map(({ name }) => name));
  const inputs = new Map(
    tools.flatMap(({ name, aliases = [], input }) => [name, ...aliases].map((one) => [one, input])),
  );
  const propertiesOf = (written = ""): JsonObject | undefined => {
    const properties = inputs.get(nameOf(written.trim(), inputs))?.["properties"];
    return isObject(properties) ? properties : undefined;
  };
  const closestTo = (written: string): string => {
    const name = nameOf(written.trim(), inputs);
    return inputs.has(name) ? name : (matchKey(name, [...names]) ?? name);
  };
  return {
    isEmpty: names.size === 0,
    names: [...names],
    has: (name: string): boolean => names.has(name),
    /** Returns whether this is the name or an alias of a tool. */
    knows: (name: string): boolean => inputs.has(name),
    schemaOf: (name: string): JsonObject | undefined => inputs.get(name),
    /** Returns the parameters of a tool by the name that a model wrote; undefined if they are not known. */
    propertiesOf,
    /** Returns whether a tool has a parameter, or may have one. */
    mayHave: (written: string | undefined, key: string): boolean => {
      const properties = propertiesOf(written);
      return properties === undefined || Object.hasOwn(properties, key.trim());
    },
    requires: (written: string | undefined, key: string): boolean => {
      const required = inputs.get(closestTo(written ?? ""))?.["required"];
      return Array.isArray(required) && (required as readonly unknown[]).includes(key);
    },
    /** Returns the tool name without quotes and without the namespaces that dialects add. */
    nameOf: (written: string): string => nameOf(written.trim(), inputs),
    /** Returns the tool name, also if it was written in another case or with other separators. */
    closestTo,
    /** Returns whether a text has something in it that looks like a call of a tool. */
    areCalledIn: (text: string): boolean =>
      [...inputs.keys()].some((name) =>
        text
          .split(name)
          .slice(1)
          .some((after) => AFTER_NAME.test(after)),
      ),
    /** Returns the only tool that accepts this input; undefined if there are several or none. */
    toolFor: (input: JsonObject): string | undefined => toolFor(input, tools),
  };
}

/** What follows the name of a tool in a call of any notation. */
const AFTER_NAME = /^\s*(?:\\?["'“”]|[([{<]|Action)/;

function nameOf(written: string, known: ReadonlyMap<string, unknown>): string {
  if (known.has(written)) return written;
  const name = written.replaceAll(/^["'`]+|["'`]+$|^functions?\./g, "");
  const dot = name.indexOf(".");
  if (known.has(name) || dot < 0) return name;
  const [head, tail] = [name.slice(0, dot), name.slice(dot + 1)];
  // A namespace equal to the name is redundant.
  if (head === tail) return tail;
  const last = name.slice(name.lastIndexOf(".") + 1);
  return known.has(last) ? last : name;
}

function toolFor(input: JsonObject, tools: readonly KnownTool[]): string | undefined {
  const fitting = tools.length === 1 ? tools : tools.filter((tool) => accepts(tool, input));
  return fitting.length === 1 ? fitting[0]?.name : undefined;
}

function accepts({ input: { properties, required } }: KnownTool, input: JsonObject): boolean {
  const needed = Array.isArray(required) ? required : [];
  return (
    isObject(properties) &&
    Object.keys(input).every((key) => Object.hasOwn(properties, key)) &&
    needed.every((key) => typeof key === "string" && Object.hasOwn(input, key))
  );
}
