/** Names of files and of fences, and the languages that highlighters know them by. */
const ALSO: Readonly<Record<string, string>> = {
  mjs: "js",
  cjs: "js",
  mts: "ts",
  cts: "ts",
  h: "c",
  hpp: "cpp",
  hh: "cpp",
  less: "css",
  svg: "html",
  vue: "html",
  svelte: "html",
  console: "sh",
  shellscript: "sh",
};

/** Returns the common name of the language of a fence or of a file's extension; any other name as it is, in lower case. */
export function fenceLanguage(name: string): string {
  const folded = name.toLowerCase();
  return Object.hasOwn(ALSO, folded) ? (ALSO[folded] ?? folded) : folded;
}
