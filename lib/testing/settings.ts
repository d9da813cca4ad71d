import { afterAll, beforeAll } from "vitest";
import { type Env, env } from "../env";

/** Runs the tests of a file with these settings. The files of a process share the settings, so they are restored afterwards. */
export function withSettings(changed: Partial<Env>): void {
  const kept = { ...env };
  beforeAll(() => void Object.assign(env, changed));
  afterAll(() => void Object.assign(env, kept));
}
