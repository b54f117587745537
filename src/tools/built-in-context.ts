import { provideFor, type Provided } from "../core/context.ts";
import { FileAccessKey } from "../core/session/file-access.ts";
import { BrowserKey, ProcessesKey } from "../core/session/host-keys.ts";
import { SessionProxyKey } from "../core/session/session-proxy.ts";
import { sessionBrowser } from "./browser/browser-access.ts";
import type { BrowserOptions } from "./browser/page/options.ts";
import type { FilesOptions } from "./files/shared/options.ts";
import { sessionFileAccess } from "./files/shared/file-access.ts";
import type { ProxyOptions } from "./proxy/traffic/options.ts";
import { openSessionProxy } from "./proxy/session-proxy.ts";
import { isRunning, type BackgroundProcesses } from "./running/background-processes.ts";
import type { RunningOptions } from "./running/options.ts";
import { createRunning } from "./running/running.ts";

const STOP_MS = 1000;

/** Returns the state that the built-in tools share with tools of your own, by key: pass the options of `builtInTools`. */
export function builtInContext(
  options: FilesOptions & RunningOptions & ProxyOptions & BrowserOptions,
): readonly Provided[] {
  const running = createRunning(options);
  return [
    provideFor(FileAccessKey, (context) => sessionFileAccess(context, options)),
    provideFor(SessionProxyKey, (context) => () => openSessionProxy(context, options)),
    provideFor(BrowserKey, (context) => sessionBrowser(context, options)),
    provideFor(ProcessesKey, (context) => toProcesses(running.processesOf(context))),
  ];
}

function toProcesses(processes: BackgroundProcesses) {
  return {
    list: () =>
      processes.list().map((named) => ({
        id: named.id,
        pid: named.process.pid,
        command: named.command,
        isRunning: isRunning(named),
        exitCode: named.process.end()?.exitCode ?? null,
      })),
    output: (id: string) => processes.get(id).process.output().all.text,
    stop: async (id: string) => processes.get(id).process.stop(STOP_MS),
  };
}
