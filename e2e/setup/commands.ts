import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { root, surroundings } from "./service";

type Printed = { id: number; stdout: string; stderr: string };

/** The operator's command line of one product, in one process that starts with the first command. */
export function openCommands(settings: { [name: string]: string }, node: string) {
  let child: ChildProcess | undefined;
  let count = 0;
  return {
    /** Runs a command and returns the JSON that it printed. @throws Error with its message if it failed */
    run(...args: string[]): Promise<unknown> {
      child ??= fork(join(root, "e2e/setup/commands.mjs"), {
        execPath: node,
        cwd: root,
        env: { ...surroundings, ...settings },
      });
      const commands = child;
      const id = count++;
      return new Promise((resolve, reject) => {
        const failed = (why: string) => reject(new Error(`carillon ${args.join(" ")} failed: ${why}`));
        const onExit = () => failed("its process ended");
        const onMessage = (printed: Printed) => {
          if (printed.id !== id) return;
          commands.off("message", onMessage).off("exit", onExit);
          if (printed.stdout) resolve(JSON.parse(printed.stdout));
          else failed(printed.stderr);
        };
        commands.on("message", onMessage).on("exit", onExit);
        commands.send({ id, args });
      });
    },
    close(): void {
      child?.kill();
      child = undefined;
    },
  };
}
