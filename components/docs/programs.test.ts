import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { withSource } from "@/lib/api/testing/import-source";
import { env } from "@/lib/env";
import { createPersonalToken, everyScope } from "@/lib/oauth";
import { as, connect, jpeg, newOwner, postsOn, told, withWorker } from "@/lib/testing";
import { withApiServed } from "@/lib/testing/served";

withApiServed();
withWorker();
const source = withSource(13);

const run = promisify(execFile);
const hasRequests = await run("python3", ["-c", "import requests"]).then(
  () => true,
  () => false,
);

/** A folder for programs, and the blocks of a guide in one language, joined. */
async function programOf(guide: string, language: string): Promise<{ folder: string; code: string }> {
  const blocks = (await readFile(guide, "utf8")).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"));
  const folder = await mkdtemp(join(tmpdir(), "carillon-program-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return { folder, code: [...blocks].map(([, block]) => block).join("\n") };
}

/** A person with an X account, and the settings that the guides name. */
async function reader() {
  const owner = await newOwner();
  const { id: accountId, person } = await connect(owner, "X_TWITTER");
  const { access_token } = await createPersonalToken(owner, everyScope);
  return {
    ...{ owner, accountId, person },
    settings: { ...process.env, CARILLON_URL: env.baseUrl, CARILLON_TOKEN: access_token },
  };
}

test("the program of docs/python.md publishes a post with a picture", async ({ skip }) => {
  skip(!hasRequests, "the Python package requests is not installed");
  const { folder, code } = await programOf("docs/python.md", "python");
  await writeFile(join(folder, "post.py"), code);
  await writeFile(join(folder, "bells.jpg"), await jpeg());
  const { person, settings } = await reader();
  const { stdout } = await run("python3", ["post.py"], { cwd: folder, env: settings });
  expect(stdout).toMatch(/^PUBLISHED http\S+\n$/);
  expect(await postsOn("x", person)).toHaveLength(1);
});

describe("docs/feeds.md adds a feed after a dry run", () => {
  const feedUrl = () =>
    source.serve("feed.xml", (_, response) =>
      response.end(`<rss version="2.0"><channel><title>Bells</title><item><title>A new bell</title>
        <link>https://bells.example/1</link><guid>1</guid></item></channel></rss>`),
    );
  const content = "A new bell\n\nhttps://bells.example/1";

  async function expectOneDraft(owner: string): Promise<void> {
    const [, feeds] = await told(as(owner).get("/v1/feeds"));
    expect(feeds).toMatchObject([{ state: "ACTIVE", posts: 1, template: { isDraft: true } }]);
    const [, { items }] = (await told(as(owner).get("/v1/posts"))) as [number, { items: unknown[] }];
    expect(items).toMatchObject([{ overallStatus: "DRAFT", publications: [{ posts: [{ content }] }] }]);
  }

  test("in curl", async () => {
    const { folder, code } = await programOf("docs/feeds.md", "sh");
    const { owner, accountId, settings } = await reader();
    const own = code
      .replace(/^FEED_URL=.*$/m, `FEED_URL=${feedUrl()}`)
      .replace(/^ACCOUNT_ID=.*$/m, `ACCOUNT_ID=${accountId}`);
    const { stdout } = await run("sh", ["-ec", own], { cwd: folder, env: settings });
    const [shown, added] = stdout.split(/(?<=\})(?=\{"id":)/).map((text) => JSON.parse(text));
    expect(shown).toMatchObject({ dryRun: true, items: [{ valid: true, publications: [{ posts: [{ content }] }] }] });
    expect(added).toMatchObject({ state: "ACTIVE", posts: 1 });
    await expectOneDraft(owner);
  });

  test("in Python", async ({ skip }) => {
    skip(!hasRequests, "the Python package requests is not installed");
    const { folder, code } = await programOf("docs/feeds.md", "python");
    await writeFile(join(folder, "feed.py"), code);
    const { owner, settings } = await reader();
    const own = { ...settings, FEED_URL: feedUrl() };
    const { stdout } = await run("python3", ["feed.py"], { cwd: folder, env: own });
    expect(stdout).toMatch(/^True \{'content': 'A new bell.*\} \[\]\nACTIVE 1\n$/);
    await expectOneDraft(owner);
  });
});
