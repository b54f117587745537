import assert from "node:assert/strict";
import { test } from "node:test";
import { wordsOf } from "../../../test/support/generators/command-words.ts";
import { parseShellArguments } from "./shell-arguments.ts";

const RM = Buffer.from("rm x", "utf16le").toString("base64");

/** The texts that a shell of Windows may run; `?` after one that is not known. */
const TEXTS: Readonly<Record<string, string>> = {
  "pwsh -c rm x": "rm x",
  "pwsh -Command rm x": "rm x",
  "pwsh \u2013Command rm x": "rm x",
  "pwsh -NoProfile -CommandWithArgs rm x": "rm x",
  "pwsh -Command:rm x": "rm x",
  "pwsh /Command rm x": "rm x",
  "pwsh -c $x": "$x?",
  "pwsh -c rm $x": "rm $x?",
  [`pwsh -EncodedCommand ${RM}`]: "rm x",
  [`pwsh -nop -e ${RM}`]: "rm x",
  [`pwsh -ec ${RM} cgBtAA==`]: "rm x",
  "pwsh -e cgBtAHgA": "rmx",
  "/c/pwsh -c rm x": "rm x",
  "/c/powershell a b": "a b",
  "powershell a-e rm x": "a-e rm x",
  "powershell a-b c d": "a-b c d",
  "powershell a-c rm": "a-c rm",
  "pwsh -e $x": "$x?",
  "pwsh -enc a-b": "a-b?",
  "powershell rm x": "rm x",
  "powershell -NoProfile rm x": "rm x|x",
  "powershell -ExecutionPolicy Bypass rm x": "Bypass rm x|rm x",
  "powershell a b c": "a b c",
  "powershell -ep Bypass -c rm x": "rm x",
  "powershell.exe rm $x": "rm $x?",
  "cmd /c rm x": "rm x",
  "cmd /K rm x": "rm x",
  "cmd /crm x": "rm x",
  "cmd /s /c rm": "rm",
  "cmd /v:on/crm x": "rm x",
  "cmd a": "",
  "pwsh x.ps1": "",
  "pwsh -c": "",
  pwsh: "",
};

for (const [line, expected] of Object.entries(TEXTS)) {
  test(`${line} runs ${expected}`, () => {
    const words = wordsOf(line);
    const { texts, doubt } = parseShellArguments((words[0]?.text ?? "").replace("/c/", ""), words);
    assert.equal(texts.map(({ text, literal }) => (literal ? text : `${text}?`)).join("|"), expected);
    assert.notEqual(doubt, undefined);
  });
}

test("an option without a command runs no text", () => {
  assert.deepEqual(parseShellArguments("pwsh", wordsOf("pwsh -c")).texts, []);
});

test("a script of PowerShell that is only known at run time is one", () => {
  const { files } = parseShellArguments("pwsh", wordsOf("pwsh -File $x"));
  assert.deepEqual(files, [{ text: "$x", literal: false }]);
});
