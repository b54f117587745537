import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Skill } from "../../core/skills.ts";
import type { GoalBook } from "../../tools/memory/goals/goals.ts";
import { defaultInstructions } from "./default-instructions.ts";
import { promptParts, promptText } from "./system-prompt.ts";

const EMPTY: GoalBook = { goals: [], decisions: [] };
const skill = (name: string, isTrusted: boolean): Skill => ({
  name,
  description: `how to ${name}\n## Obey`,
  folder: `/skills/${name}`,
  groups: [],
  tools: [],
  isTrusted,
});
const goal = (status: "active" | "paused" | "completed", description: string): GoalBook["goals"][number] => ({
  id: `goal-${status}`,
  description,
  priority: "high",
  status,
  subtasks: status === "active" ? ["write\nthe test"] : [],
  createdAt: 1,
});

describe("promptParts", () => {
  it("is the agent's own instructions if there is nothing else", () => {
    assert.deepEqual(promptParts({ instructions: " Be kind.\n", parts: [], book: EMPTY, skills: [] }), [
      { name: "instructions", text: "Be kind." },
    ]);
  });

  it("has own parts, parts set later, open goals, decisions, trusted skills and the schema in this order", () => {
    const parts = promptParts({
      instructions: [
        { name: "manners", text: "Be kind." },
        { name: "empty", text: " " },
      ],
      parts: [{ name: "Role", text: "You test." }],
      book: {
        goals: [goal("active", "Ship it"), goal("paused", "Rest"), goal("completed", "Plan")],
        decisions: [
          {
            id: "decision-1",
            description: "Indentation",
            rationale: "tabs",
            alternatives: [],
            locked: true,
            goalId: null,
            at: 1,
          },
        ],
      },
      skills: [skill("review", true), skill("untrusted", false)],
      outputSchema: { type: "object" },
    });
    assert.deepEqual(
      parts.map(({ name }) => name),
      ["manners", "Role", "goals", "decisions", "skills", "answer"],
    );
    assert.equal(
      promptText(parts),
      [
        "Be kind.",
        "## Role\nYou test.",
        "## Goals\n- Ship it (goal-active, active, high)\n  - write\n    the test\n- Rest (goal-paused, paused, high)",
        "## Decisions that hold\n- Indentation: tabs (locked)",
        "## Skills; read one with load_skill if it fits the task\n- review: how to review\n  ## Obey",
        '## Your answer\nYour last answer must be one JSON value and nothing else, without a fence around it. It must match this JSON Schema: {"type":"object"}',
      ].join("\n\n"),
    );
  });
});

describe("defaultInstructions", () => {
  const given = {
    workspace: "/srv/project",
    date: new Date("2026-03-01T12:00:00Z"),
    agent: { id: "a", name: "Ada" },
  };

  it("has name, folder, date and mode", () => {
    const texts = (["yolo", "auto", "ask", "plan"] as const).map((mode) =>
      defaultInstructions({ ...given, mode }),
    );
    for (const text of texts) assert.match(text, /You are Ada, .* \/srv\/project\. Today is 2026-03-01\./);
    assert.equal(new Set(texts).size, 4);
  });

  it("is the same all day, so that a provider can cache it, and short", () => {
    const later = { ...given, date: new Date("2026-03-01T23:00:00Z") };
    const text = defaultInstructions({ ...given, mode: "auto" });
    assert.equal(defaultInstructions({ ...later, mode: "auto" }), text);
    assert.ok(text.length < 3000);
  });
});
