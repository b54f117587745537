/** Returns true for a canonical path that is the folder itself or below it. */
export function isWithin(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || path[folder.length] === "/" || folder.endsWith("/");
}
