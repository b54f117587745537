import type * as Table from "./format-table.ts";

let table: typeof Table | undefined;

/** Returns the checks of `format`; undefined until `loadFormats` has loaded them. */
export function loadedFormats(): typeof Table | undefined {
  return table;
}

/** Loads the checks of `format`: many programs have no schema with one. */
export async function loadFormats(): Promise<void> {
  table ??= await import("./format-table.ts");
}
