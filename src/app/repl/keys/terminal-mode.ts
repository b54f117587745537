const PASTE_ON = "\u{1b}[?2004h";
const PASTE_OFF = "\u{1b}[?2004l";
const KITTY_ASK = "\u{1b}[?u";
const KITTY_ON = "\u{1b}[>1u";
const KITTY_OFF = "\u{1b}[<u";
const CURSOR_ON = "\u{1b}[?25h";
/** A program that was stopped is told when it goes on; where there is no shell to come back to, it was not stopped. */
const STOP_MS = 500;

/** How the terminal gives its keys: one by one, with pastes marked, and all of them told apart where it can. */
export interface TerminalMode {
  readonly take: () => void;
  /** It said that it can. */
  readonly tellApart: () => void;
  /** As it was before. */
  readonly giveBack: () => void;
  /** Gives it back and stops this program, with all that the shell started together with it; calls back when that goes on. */
  readonly stop: (goOn: () => void) => void;
}

export function createTerminalMode(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): TerminalMode {
  let isKitty = false;
  const mode: TerminalMode = {
    take() {
      stdin.setRawMode(true);
      stdout.write(PASTE_ON + (isKitty ? KITTY_ON : KITTY_ASK));
    },
    tellApart() {
      if (!isKitty) stdout.write(KITTY_ON);
      isKitty = true;
    },
    giveBack() {
      stdout.write(`${isKitty ? KITTY_OFF : ""}${PASTE_OFF}${CURSOR_ON}`);
      if (stdin.isTTY) stdin.setRawMode(false);
    },
    stop(goOn) {
      const end = (): void => {
        clearTimeout(timer);
        process.off("SIGCONT", end);
        goOn();
      };
      mode.giveBack();
      const timer = setTimeout(end, STOP_MS);
      process.on("SIGCONT", end);
      process.kill(0, "SIGTSTP");
    },
  };
  return mode;
}
