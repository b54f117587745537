import { list, object, oneOf, optional, string, type Schema } from "../../../schema/define/schema.ts";
import { seconds } from "./setting-values.ts";

const file = (description?: string): Schema<string> =>
  string(description, { pattern: "^/", expected: "an absolute path" });

export const BROWSER = object({
  path: optional(
    file("The program of the browser; default: the first of Chromium, Chrome and Edge that is found"),
  ),
  sandbox: optional(
    oneOf(
      ["auto", "none"],
      "none: the browser runs outside bubblewrap and, as root, also without its own sandbox; default: auto",
    ),
  ),
  idleSeconds: optional(seconds("The browser is closed after this time without a call; default: 600")),
  certificates: optional(
    list(file(), "PEM files of certificates and authorities that the browser trusts besides its own"),
  ),
});
