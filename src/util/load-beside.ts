const loaded = new Map<string, unknown>();

/**
 * Loads a module of this package at the moment it is first needed, without waiting: what a call may never need is not
 * paid for at import. `from` is the caller's `import.meta.url`; the name has no ending, since sources end in .ts and dist in .js.
 */
export function loadBeside(from: string, name: string): unknown {
  const key = `${from} ${name}`;
  const found = loaded.get(key) ?? load(from, name);
  loaded.set(key, found);
  return found;
}

function load(from: string, name: string): unknown {
  const { createRequire } = process.getBuiltinModule("node:module");
  return createRequire(from)(`${name}${from.slice(-3)}`) as unknown;
}
