/** Returns true for a canonical path that is the folder itself or below it. */
export function isWithin(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || path[folder.length] === "/" || folder.endsWith("/");
}

/** Returns the paths without repetition and without those below another. */
export function outermost(paths: readonly string[]): readonly string[] {
  const unique = [...new Set(paths)];
  return unique.filter((one) => !unique.some((other) => other !== one && isWithin(one, other)));
}
