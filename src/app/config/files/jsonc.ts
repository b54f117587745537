import {
  applyEdits,
  createScanner,
  findNodeAtLocation,
  modify,
  parseTree,
  printParseErrorCode,
  type Edit,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { ToolError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { attempt } from "../../../util/async/attempt.ts";
import { keysOf } from "../../../json-schema/shared/pointer.ts";
import { isDeeperThan, MAX_JSON_DEPTH, parseJson } from "../../../util/json/parse-json.ts";
import { setOwn } from "../../../util/json/set-own.ts";

const JSONC = { allowTrailingComma: true };
const BYTE_ORDER_MARK = "\u{feff}";

/** Parses JSON with comments and trailing commas. Throws `INVALID_INPUT`, naming the file, line and column, on anything else. */
export function parseJsonc(text: string, name: string): Json {
  const plain = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const value = parseJson(plain) ?? withinStack(name, () => toJson(parseNode(plain, name)));
  if (isDeeperThan(value, MAX_JSON_DEPTH)) throw tooDeep(name);
  return value;
}

/**
 * Parses a value of the document that is at `start`. An error that begins with the name of the document gets the line and column of
 * its first problem, or else of the value.
 */
export function withPlace<T>(name: string, read: () => string, start: readonly string[], parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ToolError) || !error.message.startsWith(`${name}: `)) throw error;
    const { code, message, hint, details } = error;
    const errorDetails = details ?? (error.cause instanceof ToolError ? error.cause.details : undefined);
    const [first] = (errorDetails?.["problems"] ?? []) as readonly { readonly path: string }[];
    const keys = [...start, ...(first === undefined ? [] : (keysOf(first.path) ?? []))];
    const place = attempt(() => placeOf(read(), name, keys)) ?? name;
    throw new ToolError(code, `${place}${message.slice(name.length)}`, { cause: error, hint, details });
  }
}

/** Returns the place of a value, or of the innermost one around it that is there. */
function placeOf(text: string, name: string, keys: readonly string[]): string {
  let node = parseTree(text, [], JSONC);
  for (const key of keys) {
    const { type, children = [] } = node ?? {};
    // Of several properties with one key, the last is read.
    const property = children.findLast(({ children: [own] = [] }) => own?.value === key);
    const next = type === "array" ? children[Number(key)] : property?.children?.[1];
    if (next === undefined) break;
    node = next;
  }
  return keys.length === 0 ? name : placeAt(text, name, node?.offset ?? 0);
}

function placeAt(text: string, name: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `${name}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
}

/**
 * Returns the text with the value at a path set, or removed if it is undefined. Comments and formatting elsewhere stay. Throws
 * if the text is not JSONC.
 */
export function editJsonc(
  text: string,
  name: string,
  path: readonly (string | number)[],
  value: Json | undefined,
): string {
  if (text.startsWith(BYTE_ORDER_MARK))
    return `${BYTE_ORDER_MARK}${editJsonc(text.slice(1), name, path, value)}`;
  const root = text.trim() === "" ? undefined : withinStack(name, () => parseNode(text, name));
  if (value === undefined) return applyEdits(text, root === undefined ? [] : removal(text, root, path));
  const usesTabs = /^\t+"/m.test(text);
  const formattingOptions = {
    insertSpaces: !usesTabs,
    tabSize: 2,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}

function parseNode(text: string, name: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, JSONC);
  const [first] = errors;
  if (first === undefined && root !== undefined) return root;
  const { offset = 0, error = 4 } = first ?? {};
  const problem = printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
  throw new ToolError("INVALID_INPUT", `${placeAt(text, name, offset)}: not valid JSON: ${problem}`, {
    hint: "comments and trailing commas are allowed, names and texts need double quotes",
  });
}

/** The parser is recursive: a text that is nested too deeply overflows the stack. */
function withinStack<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(name, error) : error;
  }
}

function tooDeep(name: string, cause?: unknown): ToolError {
  const message = `${name}: the JSON is nested too deeply, over ${MAX_JSON_DEPTH} levels`;
  return new ToolError("INVALID_INPUT", message, { hint: "make it flatter, or remove the file", cause });
}

/** Keys become own properties, `__proto__` included. */
function toJson({ type, value, children = [] }: Node): Json {
  if (type === "array") return children.map(toJson);
  if (type !== "object") return value as Json;
  const object: Record<string, Json> = {};
  for (const { children: [key, item] = [] } of children)
    if (key !== undefined && item !== undefined) setOwn(object, String(key.value), toJson(item));
  return object;
}

/** Removes a property with its comma. `modify` of the package leaves a comma alone where the last property had one. */
function removal(text: string, root: Node, path: readonly (string | number)[]): Edit[] {
  const property = findNodeAtLocation(root, [...path])?.parent;
  if (property === undefined) return [];
  const { offset, length } = property;
  const siblings = property.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const following = commaAfter(text, offset + length);
  const start = offset - (/\r?\n[ \t]*$/.exec(text.slice(0, offset))?.[0].length ?? 0);
  if (following !== undefined) return [{ offset: start, length: following + 1 - start, content: "" }];
  const whole = { offset: start, length: offset + length - start, content: "" };
  const preceding = previous === undefined ? undefined : commaAfter(text, previous.offset + previous.length);
  return preceding === undefined ? [whole] : [{ offset: preceding, length: 1, content: "" }, whole];
}

/** Returns the offset of the comma that comes next, after spaces and comments. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === "," ? at : undefined;
}
