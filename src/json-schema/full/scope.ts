import type { JsonSchema } from "../../core/json.ts";
import type { Rule } from "../shared/types.ts";
import type { Resource, Target } from "./types.ts";

/** The target of references; `rule` is set once it is compiled. */
export interface Slot extends Target {
  readonly region: number;
  rule: Rule | undefined;
}

/** Far more references than a real check follows; a schema that multiplies them would never end. */
const MAX_STEPS = 1_000_000;

/** The resources that a running check is in, by which a `$dynamicRef` chooses its target. */
export class Scope {
  /** The resources that a check may enter, and the targets among which it may choose, by name. */
  readonly #entered = new Set<Resource>();
  readonly #choices = new Map<string, Map<Resource, Slot>>();
  readonly #running: Resource[] = [];
  #steps = 0;

  /** Begins a check. */
  begin(home: Resource): void {
    this.#steps = 0;
    this.#running.splice(0, this.#running.length, home);
  }

  /** Counts a reference. Throws a RangeError if the check follows too many. */
  step(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new RangeError("the check follows too many references");
  }

  hasNoStepsLeft(): boolean {
    return this.#steps > MAX_STEPS;
  }

  /** Runs a part of a check within a resource. If it throws, the whole check ends. */
  within<T>(home: Resource, work: () => T): T {
    this.#running.push(home);
    const result = work();
    this.#running.pop();
    return result;
  }

  add(home: Resource): void {
    this.#entered.add(home);
  }

  /** Returns a rule that is checked within a resource. */
  entering(home: Resource, rule: Rule): Rule {
    this.add(home);
    return {
      check: (value) => this.within(home, () => rule.check(value)),
      explain: (value, path, report) => {
        this.within(home, () => {
          rule.explain(value, path, report);
        });
      },
    };
  }

  /** Returns the rule of a `$dynamicRef`. */
  choosing(name: string, initial: Slot): Rule {
    if (!this.#choices.has(name)) this.#choices.set(name, new Map());
    return {
      check: (value) => {
        this.step();
        const { home, rule } = this.choose(name, initial);
        return this.within(home, () => rule?.check(value) ?? false);
      },
      explain: (value, path, report) => {
        this.step();
        const { home, rule } = this.choose(name, initial);
        this.within(home, () => rule?.explain(value, path, report));
      },
    };
  }

  /** Returns the anchor of this name in the outermost resource that has one. */
  choose(name: string, initial: Slot): Slot {
    const choices = this.#choices.get(name);
    for (const resource of this.#running) {
      const slot = choices?.get(resource);
      if (slot !== undefined) return slot;
    }
    return initial;
  }

  /** Compiles what may be chosen: the anchors in the resources that a check may enter, which may lead into more. */
  compileChoices(compile: (schema: JsonSchema, home: Resource) => Slot): void {
    let count: number;
    do {
      count = this.#entered.size + this.#choices.size;
      for (const [name, choices] of this.#choices)
        for (const home of this.#entered) {
          const schema = home.dynamicAnchors.get(name);
          if (schema !== undefined && !choices.has(home)) choices.set(home, compile(schema, home));
        }
    } while (count < this.#entered.size + this.#choices.size);
  }
}
