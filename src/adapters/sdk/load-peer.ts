import { ToolError } from "../../core/errors.ts";

/** Loads a package that the user installs. Throws `UNAVAILABLE`, with the command to install it, if it is missing. */
export async function loadPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new ToolError("UNAVAILABLE", `the package ${name} cannot be loaded`, {
      hint: `install it beside toolwright: npm install ${name}`,
      cause,
    });
  }
}
