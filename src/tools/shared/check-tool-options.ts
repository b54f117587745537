import { ToolError } from "../../core/errors.ts";
import { checkOptions, type OptionKind } from "../../util/json/check-options.ts";

/** The options of all families: a program may pass the same ones to each. */
export const TOOL_OPTIONS = {
  root: "a text",
  roots: "a list of texts",
  home: "a text",
  collections: "an object",
  trashFolder: "a text",
  partialPatches: "true or false",
  checkpointsFolder: "a text",
  reportsFolder: "a text",
  changesFolder: "a text",
  stateFolder: "a text",
  stateFolders: "a list of texts",
  operations: "an object",
  // Checked where it is used: a missing one is said so.
  environment: "anything",
  limits: "an object",
  launcher: "a list of texts",
  isOutside: "true or false",
  web: "an object",
  browser: "an object",
  skills: "an object",
  mask: "a function",
  openSmallModel: "a function",
  openVisionModel: "a function",
} as const satisfies Readonly<Record<string, OptionKind>>;

/** Throws `INVALID_INPUT`, naming the function that got them, for options that no family has and for wrong values. */
export function checkToolOptions(caller: string, options: object): void {
  checkOptions<object>(caller, options, TOOL_OPTIONS);
}

/** The same, and throws without a root: paths would be in a folder "undefined". */
export function checkRootedOptions(caller: string, options: { readonly root: string }): void {
  const root: unknown = options?.root;
  if (typeof root !== "string")
    throw new ToolError(
      "INVALID_INPUT",
      `${caller}: root: expected the path of a folder, got ${typeof root}`,
      {
        hint: `pass one: ${caller}({ root: process.cwd() })`,
      },
    );
  checkToolOptions(caller, options);
}
