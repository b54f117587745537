import { ToolError } from "../../core/errors.ts";

/** Throws `INVALID_INPUT`, naming the function that got the options, if they have no root: paths would be in a folder "undefined". */
export function checkRoot(caller: string, options: { readonly root: string }): void {
  const root: unknown = options?.root;
  if (typeof root === "string") return;
  throw new ToolError("INVALID_INPUT", `${caller}: root: expected the path of a folder, got ${typeof root}`, {
    hint: `pass one: ${caller}({ root: process.cwd() })`,
  });
}
