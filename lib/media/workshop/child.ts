import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import type { InspectedFile } from "../inspect";
import type { Conversion, Recipe } from "../recipe";

/** Of memory that it writes to (RLIMIT_DATA): more than the largest picture takes, and less than hurts. */
const MEMORY_KB = 1_048_576;
/** Longer than the largest file takes on a busy machine; a file that takes longer was made to. */
const TASK_MS = 60_000;
/** A child that has had nothing to do for so long ends. */
const IDLE_MS = 300_000;

/** The child ended in the middle of its task, or was ended because it took too long. */
export class TaskEnded extends Error {
  constructor(readonly tookTooLong: boolean) {
    super(tookTooLong ? "the task took too long" : "the process of the task ended");
  }
}

export type Child = {
  /** @throws TaskEnded */
  run(request: TaskRequest): Promise<TaskAnswer>;
  isAlive(): boolean;
};

/** Starts a process that works on one file at a time. It ends with this one, however that ends. */
export function startChild(): Child {
  const child = spawnLimited(resolve("dist/workshop.js"));
  let isAlive = true;
  let idle: NodeJS.Timeout | undefined;
  const rest = () => {
    child.unref();
    child.channel?.unref();
    idle = setTimeout(() => child.disconnect(), IDLE_MS).unref();
  };
  child.on("error", () => {}); // its end shows as "exit"
  child.on("disconnect", () => {
    isAlive = false;
  });
  child.on("exit", () => {
    isAlive = false;
    clearTimeout(idle);
  });
  rest();
  return {
    isAlive: () => isAlive,
    async run(request) {
      clearTimeout(idle);
      child.ref();
      child.channel?.ref();
      try {
        return await ask(child, request);
      } finally {
        if (isAlive) rest();
      }
    },
  };
}

function ask(child: ChildProcess, request: TaskRequest): Promise<TaskAnswer> {
  return new Promise((resolve, reject) => {
    let tookTooLong = false;
    const timer = setTimeout(() => {
      tookTooLong = true;
      child.kill("SIGKILL");
    }, TASK_MS);
    const over = () => {
      clearTimeout(timer);
      child.off("message", answered);
      child.off("exit", ended);
    };
    const answered = (answer: TaskAnswer) => {
      over();
      resolve(answer);
    };
    const ended = () => {
      over();
      reject(new TaskEnded(tookTooLong));
    };
    child.once("message", answered);
    child.once("exit", ended);
    child.send(request, (error) => error && child.kill("SIGKILL")); // its end then shows as "exit"
  });
}

/** Memory is limited by the shell's own `ulimit`, where the system has it; none of our settings or secrets is inherited. */
function spawnLimited(script: string): ChildProcess {
  const flags = ["--max-old-space-size=128", "--max-semi-space-size=2", script];
  const env = { NODE_ENV: "production", MALLOC_ARENA_MAX: "2" } as const;
  const stdio: ["ignore", "ignore", "inherit", "ipc"] = ["ignore", "ignore", "inherit", "ipc"];
  const options = { env, stdio, serialization: "advanced" } as const;
  if (process.platform === "win32") return spawn(process.execPath, flags, options);
  const limited = `ulimit -d ${MEMORY_KB} 2>/dev/null; exec "$0" "$@"`;
  return spawn("/bin/sh", ["-c", limited, process.execPath, ...flags], options);
}

/** What is done with a file apart from the processes that serve and publish; each names the file by its path. */
export type Tasks = {
  look: { given: { path: string }; answer: InspectedFile };
  convert: { given: { path: string; recipe: Recipe; to: string }; answer: Conversion };
};

export type TaskName = keyof Tasks;

export type TaskRequest = { [N in TaskName]: { name: N; given: Tasks[N]["given"] } }[TaskName];

/** `unusable`: what is wrong with the file; `failed`: with us. */
export type TaskAnswer<N extends TaskName = TaskName> =
  | { answer: Tasks[N]["answer"] }
  | { unusable: { kind: "unsupported" | "corrupt"; message: string } }
  | { failed: string };
