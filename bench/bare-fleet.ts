import type { Json } from "../src/core/json.ts";
import type { FleetConnection } from "../src/remote/fleet/connect.ts";

/** Subjects: the tool `hold` has begun, has seen its abort signal, and a message that is answered like that signal. */
export const [BEGUN, SEEN, BARE] = ["bench.begun", "bench.seen", "bench.bare"];

/** Calls through JetStream with the client as its documentation shows it: a work queue, a stream of answers, and nothing else. */
export interface BareFleet {
  call(id: string, input: Json): Promise<Json>;
}

/** Opens the prototype: calls are published with confirmation, answers are read by an ordered consumer. */
export async function openBareFleet({ js, names, packages }: FleetConnection): Promise<BareFleet> {
  const { RetentionPolicy, AckPolicy } = packages.jetstream;
  const manager = await js.jetstreamManager();
  await manager.streams.add({
    name: names.calls,
    subjects: [`${names.root}.call.>`],
    retention: RetentionPolicy.Workqueue,
  });
  await manager.streams.add({ name: names.answers, subjects: [`${names.root}.answer.>`] });
  await manager.consumers.add(names.calls, {
    durable_name: "workers",
    ack_policy: AckPolicy.Explicit,
    max_ack_pending: -1,
  });
  const waiting = new Map<string, (answer: Json) => void>();
  const answers = await js.consumers.get(names.answers);
  const messages = await answers.consume({
    callback(message) {
      const id = message.subject.slice(names.answerSubject("").length);
      waiting.get(id)?.(message.json());
      waiting.delete(id);
    },
  });
  void messages.closed();
  return {
    async call(id, input) {
      const { promise, resolve } = Promise.withResolvers<Json>();
      waiting.set(id, resolve);
      await js.publish(names.callSubject("default", "normal"), JSON.stringify(input), { msgID: id });
      return promise;
    },
  };
}

/** Adds numbers for the prototype: an answer is stored before its call is acknowledged. */
export async function takeBareCalls({ js, names }: FleetConnection, concurrency: number): Promise<void> {
  const consumer = await js.consumers.get(names.calls, "workers");
  await consumer.consume({
    max_messages: concurrency,
    callback(message) {
      const { a, b } = message.json<{ a: number; b: number }>();
      const id = message.headers?.get("Nats-Msg-Id") ?? "";
      void js.publish(names.answerSubject(id), JSON.stringify({ sum: a + b })).then(() => message.ack());
    },
  });
}
