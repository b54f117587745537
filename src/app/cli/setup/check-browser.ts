import { ToolError } from "../../../core/errors.ts";
import type { Config } from "../../config/config.ts";
import { check, type Check } from "./check.ts";

/** Says which browser the browser tools would start, and how it is confined. Starts none. */
export async function checkBrowser({ browser, variables }: Config): Promise<Check> {
  const { inspectBrowser } = await import("../../../tools/browser/page/launch.ts");
  try {
    const { file, place, isBare } = await inspectBrowser(browser, variables["PATH"]);
    const confined =
      place === "sandbox"
        ? "its own sandbox, inside bubblewrap, with no network but a guarded proxy"
        : "its own sandbox only, with a guarded proxy";
    if (isBare)
      return check("note", "browser", `${file}, without any sandbox: it runs as root, and "sandbox" is none`);
    return check("ok", "browser", `${file}: ${confined}`);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return check("note", "browser", error.message, error.hint);
  }
}
