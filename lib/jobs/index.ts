export { defineJob, enqueue, type Job, type JobKind, type Worker, withdraw } from "./job";
export { isPossiblyAlive, WorkerLost } from "./presence";
export { purgeLoop } from "./purge";
export { type Loop, startWorker } from "./runner";
