import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { env } from "@/lib/env";
import { createPersonalToken, everyScope } from "@/lib/oauth";
import { connect, jpeg, newOwner, postsOn, withWorker } from "@/lib/testing";
import { withApiServed } from "@/lib/testing/served";

withApiServed();
withWorker();

const run = promisify(execFile);
const hasRequests = await run("python3", ["-c", "import requests"]).then(
  () => true,
  () => false,
);

test("the program of docs/python.md publishes a post with a picture", async ({ skip }) => {
  skip(!hasRequests, "the Python package requests is not installed");
  const [, code] = /^```python\n(.*?)^```/ms.exec(await readFile("docs/python.md", "utf8")) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "carillon-python-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "post.py"), code ?? "");
  await writeFile(join(folder, "bells.jpg"), await jpeg());
  const owner = await newOwner();
  const { person } = await connect(owner, "X_TWITTER");
  const { access_token } = await createPersonalToken(owner, everyScope);
  const settings = { ...process.env, CARILLON_URL: env.baseUrl, CARILLON_TOKEN: access_token };
  const { stdout } = await run("python3", ["post.py"], { cwd: folder, env: settings });
  expect(stdout).toMatch(/^PUBLISHED http\S+\n$/);
  expect(await postsOn("x", person)).toHaveLength(1);
});
