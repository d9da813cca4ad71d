import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import type { MediaDetails } from "../../db";
import type { Conversion, Recipe } from "../recipe";

/**
 * What the bytes themselves reveal. Sizes are in pixels as displayed (orientation applied), the duration is in seconds to
 * the millisecond.
 */
export type InspectedFile = {
  contentType: string;
  width?: number;
  height?: number;
  durationSeconds?: number;
  details: MediaDetails;
  /** A small WebP. Only for images, because nothing here decodes videos. */
  thumbnail?: Buffer;
};

/** The limit for writable memory (RLIMIT_DATA): more than the largest picture needs, and harmless to the machine. */
const MEMORY_KB = 1_048_576;
/** Longer than the largest file takes on a busy machine. A file that takes longer was made to. */
const TASK_MS = 60_000;
/** An idle child ends after this time. */
const IDLE_MS = 300_000;

/** The child ended during its task, or was killed because the task took too long. */
class TaskEnded extends Error {
  constructor(readonly tookTooLong: boolean) {
    super(tookTooLong ? "the task took too long" : "the process ended during the task");
    this.name = "TaskEnded";
  }
}

/** Compared by name: the web process has two copies of this module, and a copy uses processes that the other has started. */
export function isTaskEnded(error: unknown): error is TaskEnded {
  return error instanceof Error && error.name === "TaskEnded";
}

export type Child = {
  /** @throws TaskEnded */
  run(request: TaskRequest): Promise<TaskAnswer>;
  isAlive(): boolean;
  /** Ends the process, which handles no file any more. */
  end(): void;
};

/** Starts a process that handles one file at a time. It ends when this process ends, however that happens. */
export function startChild(): Child {
  const child = spawnLimited(resolve("dist/workshop.js"));
  let isAlive = true;
  let idle: NodeJS.Timeout | undefined;
  const rest = () => {
    child.unref();
    child.channel?.unref();
    idle = setTimeout(() => child.disconnect(), IDLE_MS).unref();
  };
  child.on("error", () => {}); // reported by "exit"
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
    end() {
      clearTimeout(idle);
      if (child.connected) child.disconnect();
    },
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
    child.send(request, (error) => error && child.kill("SIGKILL")); // then reported by "exit"
  });
}

/** Memory is limited by the shell's `ulimit`, if the system has it. The child inherits none of our settings or secrets. */
function spawnLimited(script: string): ChildProcess {
  const flags = ["--max-old-space-size=128", "--max-semi-space-size=2", script];
  const env = { NODE_ENV: "production", MALLOC_ARENA_MAX: "2" } as const;
  const stdio: ["ignore", "ignore", "inherit", "ipc"] = ["ignore", "ignore", "inherit", "ipc"];
  const options = { env, stdio, serialization: "advanced" } as const;
  if (process.platform === "win32") return spawn(process.execPath, flags, options);
  const limited = `ulimit -d ${MEMORY_KB} 2>/dev/null; exec "$0" "$@"`;
  return spawn("/bin/sh", ["-c", limited, process.execPath, ...flags], options);
}

/** The tasks of the workshop process. Each one refers to files by path. */
export type Tasks = {
  look: { given: { path: string }; answer: InspectedFile };
  convert: { given: { path: string; recipe: Recipe; to: string }; answer: Conversion };
};

export type TaskName = keyof Tasks;

export type TaskRequest = { [N in TaskName]: { name: N; given: Tasks[N]["given"] } }[TaskName];

/** `unusable`: the file has a problem; `failed`: our code or the machine has one. `code` is that of a system error. */
export type TaskAnswer<N extends TaskName = TaskName> =
  | { answer: Tasks[N]["answer"] }
  | { unusable: { kind: "unsupported" | "corrupt"; message: string } }
  | { failed: string; code?: string };
