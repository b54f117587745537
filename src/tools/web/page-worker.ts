// Runs in its own thread, so that reading a page can be aborted and its memory is limited.
import { parentPort, workerData } from "node:worker_threads";
import { readPage, type PageRequest } from "./read-page.ts";

parentPort?.postMessage(readPage(workerData as PageRequest));
