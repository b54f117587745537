/** Files that run code by themselves, or say what is allowed: writing them is asked about in every mode. */
const PROTECTED: readonly RegExp[] = [
  /\/\.toolwright(?:\/|$)/,
  /\/\.git\/(?:.*\/)?(?:hooks(?:\/|$)|config(?:\.worktree)?$)/,
  // As a whole it brings its hooks with it.
  /\/\.git$/,
  /\/\.gitconfig$/,
  /\/\.config\/git(?:\/|$)/,
  /\/\.ssh(?:\/|$)/,
  /\/\.mcp\.json$/,
  /\/\.envrc$/,
  /\/\.(?:bash_profile|bash_login|bash_logout|bashrc|profile|zshrc|zshenv|zprofile|zlogin|zlogout|cshrc|tcshrc|kshrc|inputrc)$/,
  /\/\.config\/fish(?:\/|$)/,
];

/**
 * True for a canonical path that is protected, whether or not it exists yet: one of those, in one of the given folders,
 * or around one. The path is folded: case and Unicode form count for nothing, as some disks have it.
 */
export function isProtected(folded: string, folders: readonly string[]): boolean {
  if (folded.includes("/.") && PROTECTED.some((pattern) => pattern.test(folded))) return true;
  return folders.some((folder) => isWithin(folded, folder) || isWithin(folder, folded));
}

/** True for the folder itself and everything below it. */
export function isWithin(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || path[folder.length] === "/" || folder.endsWith("/");
}
