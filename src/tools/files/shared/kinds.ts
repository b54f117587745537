const FILES = { place: "sandbox", source: "built-in", group: "files" } as const;

/** Common properties of tools that only read files. */
export const READS = { ...FILES, risk: "low", effects: "none" } as const;

/** Common properties of tools whose changes cannot simply be repeated. */
export const CHANGES = { ...FILES, risk: "medium", effects: "unsafe" } as const;
