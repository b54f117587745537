import { loadFormats } from "../patterns/formats.ts";
import type * as Full from "./ajv.ts";

let loaded: typeof Full | undefined;

/** Returns the validator for any schema, with Ajv; undefined until `loadAjv` has loaded it. */
export function loadedAjv(): typeof Full | undefined {
  return loaded;
}

/** Loads the validator for any schema: most programs never need it. */
export async function loadAjv(): Promise<void> {
  await loadFormats();
  loaded ??= await import("./ajv.ts");
}
