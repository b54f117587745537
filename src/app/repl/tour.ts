import type { Model } from "../../core/agent/model.ts";
import { playScript } from "../../models/scripted.ts";

/** The message with which the tour begins. */
export const TOUR_MESSAGE = "Show me how Toolwright works.";

const FILE = "toolwright-tour.txt";

/** One call that runs, one that needs approval, one that is denied. None of them harms, whatever is answered. */
const ANSWERS = [
  {
    text:
      "This is a tour. A script answers in place of a model: nothing leaves this machine, but the calls are real.\n\n" +
      "First I list the files of this folder. That only reads, so it **runs at once**.",
    calls: [{ name: "ls", input: { path: "." } }],
  },
  {
    text:
      `Now I want to write the file \`${FILE}\`. A change **needs your approval**: \`y\` allows it once, \`n\` declines it and ` +
      "asks for a reason, which the model reads.",
    calls: [{ name: "write_file", input: { path: FILE, content: "Written in the tour of Toolwright.\n" } }],
  },
  {
    text: "Last I try to erase a disk. Such a command is **denied in every mode**, without a question.",
    calls: [{ name: "shell", input: { command: "cryptsetup luksFormat /dev/toolwright-tour" } }],
  },
  {
    text:
      "That was the tour: one call ran, one was your decision, one was denied.\n\n" +
      "- `/undo` takes back the file, `/trace` shows every call, `Shift+Tab` cycles through the modes\n" +
      "- `/model` lists the models that you can use; choose one and type a task",
    repeat: true,
  },
];

/** Returns a model that needs no key and no network. */
export function tourModel(): Model {
  return playScript(ANSWERS.map((answer) => JSON.stringify(answer)).join("\n"), "tour");
}
