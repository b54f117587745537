import { starPattern } from "../../util/text/name-pattern.ts";
import type { Operation } from "./operations.ts";

/** Which operations become tools. Each text names a tag (`tag:repos`), a path (`/repos/*`), with or without a method, or an operation. */
export interface OperationSelection {
  /** Default: all. */
  readonly include?: readonly string[];
  /** Taken out of those that are included. */
  readonly exclude?: readonly string[];
}

/** Returns a function that says whether an operation becomes a tool: one that is included, or all, and is not excluded. */
export function createSelection({
  include,
  exclude = [],
}: OperationSelection): (operation: Operation) => boolean {
  const isIncluded = include === undefined ? () => true : anyOf(include);
  const isExcluded = anyOf(exclude);
  return (operation) => isIncluded(operation) && !isExcluded(operation);
}

function anyOf(texts: readonly string[]): (operation: Operation) => boolean {
  const tests = texts.map(toTest);
  return (operation) => tests.some((test) => test(operation));
}

function toTest(text: string): (operation: Operation) => boolean {
  const [, method, path] = /^(?:([A-Za-z]+)\s+)?(\/.*)$/.exec(text) ?? [];
  if (path !== undefined) {
    const matches = starPattern(path);
    return (one) => matches(one.path) && (method === undefined || method.toLowerCase() === one.method);
  }
  if (text.startsWith("tag:")) {
    const matches = starPattern(text.slice(4));
    return ({ tags }) => tags.some(matches);
  }
  const matches = starPattern(text);
  return ({ id, written }) => matches(id) || written["operationId"] === text;
}
