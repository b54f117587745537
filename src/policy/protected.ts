/** Files that run code by themselves, or say what is allowed: writing them is asked about in every mode. */
const PROTECTED: readonly RegExp[] = [
  /(?:^|\/)\.toolwright(?:\/|$)/,
  /(?:^|\/)\.git\/(?:hooks(?:\/|$)|config$)/,
  /(?:^|\/)\.mcp\.json$/,
  /(?:^|\/)\.envrc$/,
  /(?:^|\/)\.(?:bash_profile|bash_login|bash_logout|bashrc|profile|zshrc|zshenv|zprofile|zlogin|zlogout|cshrc|tcshrc|kshrc|inputrc)$/,
  /(?:^|\/)\.config\/fish(?:\/|$)/,
];

/** True for a canonical path that is protected, whether or not it exists yet. Case is folded, as some disks do. */
export function isProtected(path: string): boolean {
  const folded = path.normalize("NFC").toLowerCase();
  return PROTECTED.some((pattern) => pattern.test(folded));
}
