const FILES = { place: "sandbox", source: "built-in", group: "files" } as const;

/** What all tools have in common that only look at files. */
export const READS = { ...FILES, risk: "low", effects: "none" } as const;

/** What all tools have in common that change files in a way that a second run would not repeat. */
export const CHANGES = { ...FILES, risk: "medium", effects: "unsafe" } as const;
