import { connectFleet } from "../../src/remote/fleet/connect.ts";
import { createChoice } from "../../src/remote/fleet/route.ts";
import { createSeals } from "../../src/remote/fleet/keys/seals.ts";
import { versionOf, type WorkerAdvert } from "../../src/remote/fleet/wire.ts";
import { FLEET_KEY, add, openFleetEngine } from "../../test/support/fleet/fleet.ts";
import type { Cleanup, NatsServer } from "../../test/support/servers/nats.ts";
import { cpuOf, inParallel, type Address } from "./scene.ts";

const [MESSAGES, IN_FLIGHT] = [5000, 64];
const [SUBSCRIBERS, ADVERTS, FAKE_WORKERS, TOOLS] = [20, 2000, 1000, 40];

/** Measures messages in bulk: stored; stored, pulled and acknowledged; and requests to an empty queue. */
export async function measureStreams(t: Cleanup, servers: readonly NatsServer[], address: Address) {
  const { fleet } = await openFleetEngine(t, { ...address, namespace: `streams${address.replicas}` });
  const { nc, js, packages } = fleet;
  const { RetentionPolicy, AckPolicy } = packages.jetstream;
  const num_replicas = address.replicas;
  const manager = await js.jetstreamManager();
  await manager.streams.add({ name: "store", subjects: ["store"], num_replicas });
  await manager.streams.add({
    name: "queue",
    subjects: ["queue"],
    num_replicas,
    retention: RetentionPolicy.Workqueue,
  });
  await manager.consumers.add("queue", {
    durable_name: "c",
    ack_policy: AckPolicy.Explicit,
    max_ack_pending: -1,
    num_replicas,
  });
  const publish = (subject: string): Promise<void> =>
    inParallel(MESSAGES, IN_FLIGHT, () => js.publish(subject, "x".repeat(400)));
  let waiting = 0;
  let done = (): void => undefined;
  const inbox = packages.transport.createInbox();
  nc.subscribe(inbox, {
    callback(_error, message) {
      if (message.reply !== undefined && message.reply !== "") message.respond("+ACK");
      if ((waiting -= 1) === 0) done();
    },
  });
  const pull = async (batch: number): Promise<void> => {
    for (let left = MESSAGES; left > 0; left -= IN_FLIGHT * batch) {
      waiting = Math.min(IN_FLIGHT * batch, left);
      const answered = new Promise<void>((resolve) => (done = resolve));
      for (let sent = 0; sent < waiting; sent += batch)
        nc.publish(
          "$JS.API.CONSUMER.MSG.NEXT.queue.c",
          JSON.stringify({ batch: Math.min(batch, waiting - sent), no_wait: true }),
          { reply: inbox },
        );
      await answered;
    }
    await nc.flush();
  };
  const cost = async (work: () => Promise<void>) => {
    const [before, own] = [servers.map(cpuOf), cpuOf(process)];
    await work();
    const used = servers.map((server, index) => (cpuOf(server) - (before[index] ?? 0)) / MESSAGES);
    const leader = Math.max(...used);
    const all = used.reduce((sum, part) => sum + part, 0);
    return {
      leader,
      follower: (all - leader) / Math.max(1, servers.length - 1),
      all,
      worker: (cpuOf(process) - own) / MESSAGES,
    };
  };
  await publish("store");
  const { all: _s, worker: _sw, ...store } = await cost(() => publish("store"));
  const {
    all: _q,
    worker: _qw,
    ...queue
  } = await cost(async () => {
    await publish("queue");
    await pull(IN_FLIGHT);
  });
  const { all, worker } = await cost(() => pull(1));
  return { store, queue, pull: { servers: all, worker } };
}

/** Measures the delivery of adverts by a server, and what an engine does with those of 1 000 workers. */
export async function measureAdverts(t: Cleanup, server: NatsServer) {
  const address = { servers: [server.url], namespace: "adverts" };
  const { fleet } = await openFleetEngine(t, address);
  const { nc, names } = fleet;
  const tools = Array.from(
    { length: TOOLS - 1 },
    (_, index) => `tool_number_${index}@${versionOf({ ...add, name: `${index}` })}` as const,
  );
  const { seal } = createSeals(FLEET_KEY, "worker", address.namespace);
  const advertOf = (index: number): string =>
    seal(
      "advert",
      `worker-${index}`,
      JSON.stringify({
        id: `worker-${index}`,
        sentAt: Date.now(),
        pool: "default",
        labels: ["gpu"],
        tools: [...tools, `add@${versionOf(add)}`],
        concurrency: 8,
        running: index % 8,
        isDraining: false,
        release: "1.0.0",
        host: `host-${index}`,
        pid: index,
        startedAt: index,
      } satisfies WorkerAdvert),
    );
  const publish = async (prefix: string) => {
    const [before, own] = [cpuOf(server), cpuOf(process)];
    for (let index = 0; index < ADVERTS; index += 1) {
      nc.publish(`${prefix}${index % FAKE_WORKERS}`, advertOf(index % FAKE_WORKERS));
      // Workers send adverts one by one.
      await nc.flush();
    }
    return { server: (cpuOf(server) - before) / ADVERTS, own: (cpuOf(process) - own) / ADVERTS };
  };
  await publish("none.");
  const alone = await publish("none.");
  for (let index = 0; index < SUBSCRIBERS; index += 1) {
    const other = await connectFleet(address, "listener");
    t.after(() => other.close());
    other.nc.subscribe("many.>", { callback: () => undefined });
    await other.nc.flush();
  }
  const many = await publish("many.");
  // A worker that is new costs more than one that is known.
  await publish(`$KV.${names.workers}.`);
  const received = await publish(`$KV.${names.workers}.`);
  let time = 0;
  const choose = createChoice(fleet.directory, () => (time += 1000));
  const own = cpuOf(process);
  for (let index = 0; index < 500; index += 1) choose(`add@${versionOf(add)}`, {});
  const chooseMs = ((cpuOf(process) - own) / 500) * (FAKE_WORKERS / fleet.directory.workers().length);
  return {
    deliveryMs: Math.max(0, many.server - alone.server) / SUBSCRIBERS,
    engine: { advertMs: Math.max(0, received.own - alone.own), chooseMs },
  };
}
