import { errorMessage } from "../../../util/text/error-message.ts";

/** Parses plain YAML only: a tag could mean code, and aliases could expand without limit. Never rejects. */
export async function parsePlainYaml(
  text: string,
): Promise<{ readonly value: unknown } | { readonly fault: string }> {
  // The package is CommonJS: once bundled it has a default export only.
  const { parseDocument } = (await import("yaml")).default;
  const document = parseDocument(text, { schema: "core", prettyErrors: false, logLevel: "silent" });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) return { fault: fault.message };
  try {
    return { value: document.toJS({ maxAliasCount: 0 }) as unknown };
  } catch (error) {
    return { fault: errorMessage(error) };
  }
}
