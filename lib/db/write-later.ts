import { log } from "../log";
import { beforeClosing } from "./index";
import { perProcess } from "./per-process";

type State = { timer?: NodeJS.Timeout; writesBeforeClosing: boolean };

/**
 * Returns a way to write counters and log lines without making a request wait: `request` runs `write` within `everyMs`, once
 * for all requests until then, and before this process closes its database. A write that fails is logged and not repeated,
 * and a killed process loses what was not written yet.
 * @param name distinguishes the writers of this process
 */
export function writeLater(name: string, everyMs: number, write: () => Promise<void>) {
  const state = perProcess<State>(`db.write-later.${name}`, () => ({ writesBeforeClosing: false }));

  async function flush(): Promise<void> {
    clearTimeout(state.timer);
    state.timer = undefined;
    try {
      await write();
    } catch (error) {
      log.warn({ error: String(error) }, `could not write ${name}`);
    }
  }

  function request(): void {
    if (!state.writesBeforeClosing) {
      state.writesBeforeClosing = true;
      beforeClosing(async () => {
        state.writesBeforeClosing = false;
        await flush();
      });
    }
    state.timer ??= setTimeout(() => void flush(), everyMs).unref();
  }

  return { request, flush };
}
