import { execFile } from "node:child_process";
import type { Notify } from "../../config/settings/notify-setting.ts";

const BELL = "\u{7}";
const PROGRAM_MS = 10_000;
/** The variable in which the program of the setting gets the text. */
const VARIABLE = "TOOLWRIGHT_NOTIFICATION";

export interface NotificationOptions {
  readonly notify: Notify;
  /** The environment of the program; its TERM and VTE_VERSION choose the sequence of a terminal, DISPLAY tells of a desktop. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes to the terminal; does nothing if there is none. */
  readonly write: (text: string) => void;
}

/**
 * Notifies the person in the way that the setting names. The text must have no control characters. A program that cannot be started or
 * fails is reported to `onError`.
 */
export function sendNotification(
  text: string,
  { notify, environment, write }: NotificationOptions,
  onError: (error: Error) => void,
): void {
  if (notify === "off") return;
  if (notify === "osc") return write(desktopSequence(text, environment));
  const hasDesktop = Boolean(environment["DISPLAY"] || environment["WAYLAND_DISPLAY"]);
  if (notify === "bell" || notify === "desktop") write(BELL);
  if (notify === "bell" || (notify === "desktop" && !hasDesktop)) return;
  const [program = "", ...args] =
    notify === "desktop" ? ["notify-send", "--app-name=Toolwright", "Toolwright", text] : notify;
  const env = { ...environment, [VARIABLE]: text };
  execFile(program, args, { env, timeout: PROGRAM_MS }, (error) => {
    if (error !== null) onError(error);
  });
}

/** Returns OSC 777 for terminals that know it and not OSC 9, else OSC 9: some show both. */
function desktopSequence(
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
