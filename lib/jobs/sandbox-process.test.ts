import { expect, test } from "vitest";
import { env } from "../env";
import { startSandbox } from "./sandbox-process";

test("a second web process on the same database uses the simulated networks that run, and leaves them running", async () => {
  const { port, url } = env.sandbox ?? { port: 0, url: "" };
  const stop = await startSandbox(port);
  await stop();
  expect((await fetch(`${url}/_control/calls?network=x`)).status).toBe(200);
});
