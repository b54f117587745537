export const BELL = "\u{7}";

/** Returns OSC 777 for terminals that know it and not OSC 9, else OSC 9: some show both. */
export function desktopSequence(
  text: string,
  { TERM = "", VTE_VERSION: vte }: Readonly<Record<string, string | undefined>>,
): string {
  const isOf777 = vte !== undefined || /^(foot|rxvt)/.test(TERM);
  return isOf777 ? osc("777", `notify;Toolwright;${text.replaceAll(";", ",")}`) : osc("9", text);
}

/** Returns an operating system command of terminals. */
export function osc(kind: string, text: string): string {
  return `\u{1b}]${kind};${text}${BELL}`;
}
