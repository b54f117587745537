import { ToolError } from "../../../core/errors.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { visible } from "../../../util/text/visible.ts";
import { THEMES, type Theme } from "../../config/settings/theme-setting.ts";
import type { ReplCommand } from "./repl-command.ts";

const THEME_TEXTS: Readonly<Record<Theme, string>> = {
  dark: "for a dark terminal",
  light: "for a light terminal",
  ansi: "only the 16 colours of the terminal, no backgrounds",
  none: "no colours and styles",
};

/** The commands that change how the REPL looks and types, also for later starts. */
export const LOOK_COMMANDS: readonly ReplCommand[] = [
  {
    name: "theme",
    summary: "choose the colours, also for later",
    usage: `[${THEMES.join("|")}]`,
    complete: () => THEMES.map((value) => ({ value, description: THEME_TEXTS[value] })),
    async run({ session, useTheme, offer, print }, args) {
      if (useTheme === undefined) throw new ToolError("UNAVAILABLE", "only a terminal has colours");
      if (args === "" && offer !== undefined) return offer("/theme ");
      const theme = THEMES.find((one) => one === args);
      if (theme === undefined)
        throw unknownName(
          `unknown theme ${JSON.stringify(args)}`,
          args,
          THEMES,
          `themes: ${THEMES.join(", ")}`,
        );
      useTheme(theme);
      const file = await session.saveSetting("theme", theme);
      return print(`theme ${theme}: ${THEME_TEXTS[theme]}, from here on; saved in ${visible(file)}\n`);
    },
  },
  {
    name: "vim",
    summary: "switch the keys of vi in the prompt on or off, also for later",
    usage: "[on|off]",
    complete: () => ["on", "off"],
    async run({ session, useVi, print }, args) {
      if (useVi === undefined) throw new ToolError("UNAVAILABLE", "only a terminal has keys");
      if (!["", "on", "off"].includes(args))
        throw new ToolError("INVALID_INPUT", `unknown value ${JSON.stringify(args)}; expected on or off`);
      const isOn = useVi(args === "" ? undefined : args === "on");
      const file = await session.saveSetting("vim", isOn);
      const keys = isOn ? "Esc leaves the insert mode, i enters it" : "off";
      return print(`keys of vi: ${keys}; saved in ${visible(file)}\n`);
    },
  },
];
