import type { TestContext } from "node:test";
import { scrolled, shell, sitDown, type Habits } from "../habits.ts";

/** Agents below the agent. */
export async function agents(t: TestContext, { try: habit }: Habits): Promise<void> {
  const task = (text: string) => ({ name: "subagent", input: { task: text } });
  const seat = await sitDown(t, [
    { calls: [task("make a file")] },
    { calls: [shell("touch by-child.txt")] },
    { text: "The child is done." },
    { text: "Reported." },
  ]);
  await seat.send("go");
  await habit("a question of a sub-agent names it", async () => {
    await seat.waitFor(/\? agent-\w+: Run touch by-child\.txt[^]*\[n\]/);
    await seat.type("y");
  });
  await habit("the calls of a sub-agent are shown", async () => {
    await scrolled(seat, /↳[^\n]*shell[^\n]*touch by-child\.txt/);
    await seat.waitFor("Reported.");
  });
  await habit("two sub-agents work at once", async () => {
    const both = await sitDown(t, [
      { calls: [task("one"), task("two")] },
      { calls: [shell("touch c1")] },
      { calls: [shell("touch c2")] },
      { text: "Done.", repeat: true },
    ]);
    await both.send("go");
    await both.waitFor(/1 of 2[^]*\[n\]/);
  });
}
