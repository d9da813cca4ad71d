export { defineJob, enqueue, type Job, type JobKind, type Worker } from "./job";
export { isPossiblyAlive, WorkerLost } from "./presence";
export { type Duty, type Loop, startWorker } from "./runner";
