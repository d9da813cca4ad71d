import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { withSource } from "@/lib/api/testing/import-source";
import { env } from "@/lib/env";
import { createPersonalToken, everyScope } from "@/lib/oauth";
import { as, connectAccount, jpeg, newOwner, newPartner, postsOn, readResponse, withWorker } from "@/lib/testing";
import { withApiServed } from "@/lib/testing/served";
import { createWebhookSecret, signedHeaders } from "@/lib/webhooks";
import { testSandbox } from "@/sandbox/testing/sandbox";

withApiServed();
withWorker();
const source = withSource(13);

/** The address of a feed with one item. */
const feedUrl = () =>
  source.serve("feed.xml", (_, response) =>
    response.end(`<rss version="2.0"><channel><title>Bells</title><item><title>A new bell</title>
      <link>https://bells.example/1</link><guid>1</guid></item></channel></rss>`),
  );

const run = promisify(execFile);
const hasRequests = await run("python3", ["-c", "import requests"]).then(
  () => true,
  () => false,
);

/** Creates a folder for a program, which consists of all code blocks of a guide in one language. */
async function programOf(guide: string, language: string): Promise<{ folder: string; code: string }> {
  const blocks = (await readFile(guide, "utf8")).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"));
  const folder = await mkdtemp(join(tmpdir(), "carillon-program-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return { folder, code: [...blocks].map(([, block]) => block).join("\n") };
}

/** A person with an X account, and the settings that the guides name. */
async function reader() {
  const owner = await newOwner();
  const { id: accountId, person } = await connectAccount(owner, "X_TWITTER");
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

test("the function of docs/python.md accepts webhooks of Carillon only", async ({ skip }) => {
  skip(!hasRequests, "the Python package requests is not installed");
  const { folder, code } = await programOf("docs/python.md", "python");
  const body = JSON.stringify({ type: "post.completed", timestamp: "2031-05-01T12:00:00Z", data: { id: 7 } });
  const [secret, other] = [createWebhookSecret(), createWebhookSecret()];
  const seconds = Math.floor(Date.now() / 1_000);
  const signed = (message: object, secrets = [secret]) =>
    signedHeaders({ id: "msg_1", seconds, body, ...message }, secrets);
  const sent: { [what: string]: [headers: { [name: string]: string }, body: string] } = {
    signed: [signed({}), body],
    "signed with two secrets": [signed({}, [other, secret]), body],
    "signed with another secret": [signed({}, [other]), body],
    "with another body": [signed({}), `${body} `],
    "with another ID": [{ ...signed({}), "webhook-id": "msg_2" }, body],
    old: [signed({ seconds: seconds - 301 }), body],
    "without headers": [{}, body],
    "with an empty secret": [signed({}, ["whsec_"]), body],
  };
  const receives = `
import sys
for what, (headers, body) in json.load(sys.stdin).items():
    try:
        secret = "" if what == "with an empty secret" else "${secret}"
        print(what, verify(secret, headers, body.encode())["data"]["id"], sep=": ")
    except ValueError as error:
        print(what, error, sep=": ")`;
  const [, verifies = ""] = code.split(/^(?=import base64$)/m);
  await writeFile(join(folder, "receive.py"), verifies + receives);
  const running = run("python3", ["receive.py"], { cwd: folder });
  running.child.stdin?.end(JSON.stringify(sent));
  expect((await running).stdout.trim().split("\n")).toEqual([
    "signed: 7",
    "signed with two secrets: 7",
    "signed with another secret: The signature is wrong",
    "with another body: The signature is wrong",
    "with another ID: The signature is wrong",
    "old: The message is from another time",
    "without headers: The message is from another time",
    "with an empty secret: The secret is missing",
  ]);
});

test("the program of docs/connect-embedded.md creates a session in Python", async ({ skip }) => {
  skip(!hasRequests, "the Python package requests is not installed");
  const { clientId, clientSecret, post } = await newPartner();
  await post("/v1/connect/users", { externalUserId: "customer-42", name: "Ada" });
  const { folder, code } = await programOf("docs/connect-embedded.md", "python");
  await writeFile(
    join(folder, "partner.py"),
    `${code}print(create_session(partner_token(), "customer-42")["clientToken"])`,
  );
  const credentials = { CARILLON_CLIENT_ID: clientId, CARILLON_CLIENT_SECRET: clientSecret };
  const settings = { ...process.env, CARILLON_URL: env.baseUrl, ...credentials };
  const { stdout } = await run("python3", ["partner.py"], { cwd: folder, env: settings });
  expect(stdout).toMatch(/^[0-9a-f-]{36}\.[\w-]{43}\n$/);
  const wrong = run("python3", ["partner.py"], { cwd: folder, env: { ...settings, CARILLON_CLIENT_SECRET: "wrong" } });
  await expect(wrong).rejects.toMatchObject({ stderr: expect.stringContaining("POST /oauth/token: 401 {") });
});

test("the commands of docs/mcp.md list the tools and call one", async () => {
  const { folder, code } = await programOf("docs/mcp.md", "sh");
  const { accountId, owner, settings } = await reader();
  const { access_token } = await createPersonalToken(owner, ["posts.propose"]);
  const { stdout } = await run("sh", ["-ec", code], {
    cwd: folder,
    env: { ...settings, CARILLON_TOKEN: access_token },
  });
  expect(stdout).toContain('"name":"propose_post"');
  expect(stdout).toContain(`\\"id\\":${accountId}`);
});

describe("the programs of docs/mcp.md propose a post", () => {
  /** A program of the guide for this account, and the settings of an agent that may only propose. */
  async function agentOf(language: string) {
    const { folder, code } = await programOf("docs/mcp.md", language);
    const { owner, accountId, settings } = await reader();
    const { access_token } = await createPersonalToken(owner, ["posts.propose"]);
    const env = { ...settings, CARILLON_TOKEN: access_token };
    return { owner, folder, env, program: code.replace(/(socialMediaAccountId"?:) 42/, `$1 ${accountId}`) };
  }
  const waiting = async (owner: string) => {
    const [, { items }] = (await readResponse(as(owner).get("/v1/posts?proposed=true"))) as [
      number,
      { items: object[] },
    ];
    return items;
  };
  const draft = {
    overallStatus: "DRAFT",
    publications: [{ posts: [{ content: "Hello from an agent" }] }],
    proposal: { application: expect.any(String) },
  };

  test("in JavaScript", async () => {
    const { owner, folder, env, program } = await agentOf("js");
    await symlink(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "propose.mjs"), program);
    const { stdout } = await run(process.execPath, ["propose.mjs"], { cwd: folder, env });
    expect(stdout).toMatch(/^Waiting for approval:/);
    expect(await waiting(owner)).toMatchObject([draft]);
  });

  test("in Python", async ({ skip }) => {
    skip(!hasRequests, "the Python package requests is not installed");
    const { owner, folder, env, program } = await agentOf("python");
    await writeFile(join(folder, "propose.py"), program);
    await run("python3", ["propose.py"], { cwd: folder, env });
    expect(await waiting(owner)).toMatchObject([draft]);
    const revoked = run("python3", ["propose.py"], { cwd: folder, env: { ...env, CARILLON_TOKEN: "gone" } });
    await expect(revoked).rejects.toMatchObject({ stderr: expect.stringMatching(/^401 /) });
  });
});

describe("the programs of docs/sandbox.md arm a fault, read the posts and reset", () => {
  /** These programs have their own simulated networks, because a reset would affect the other tests. */
  const networks = testSandbox();
  const here = (code: string) => code.replaceAll("http://localhost:3010", networks.url);
  const commandsOf = async () => {
    const { folder, code } = await programOf("docs/sandbox.md", "sh");
    return { folder, code: code.slice(code.indexOf("curl")) }; // the first block installs the package
  };

  test("in curl", async () => {
    const { folder, code } = await commandsOf();
    const [arm, read, reset] = here(code).trim().split("\n");
    expect((await run("sh", ["-ec", `${arm}\n${read}`], { cwd: folder })).stdout).toBe("[]");
    expect(await (await networks.control("GET", "faults")).json()).toMatchObject([{ fault: "drop_response" }]);
    await run("sh", ["-ec", reset ?? ""], { cwd: folder });
    expect(await (await networks.control("GET", "faults")).json()).toEqual([]);
  });

  test("in Python", async ({ skip }) => {
    skip(!hasRequests, "the Python package requests is not installed");
    const { folder, code } = await programOf("docs/sandbox.md", "python");
    const looks = 'print([fault["fault"] for fault in requests.get(f"{SANDBOX}/faults").json()])';
    const watched = here(code).replace(/^# … your code posts on X …$/m, looks) + looks;
    expect(watched.split(looks)).toHaveLength(3);
    await writeFile(join(folder, "control.py"), watched);
    const { stdout } = await run("python3", ["control.py"], { cwd: folder });
    expect(stdout).toBe("['drop_response']\n[]\n[]\n");
  });
});

test("the calls of README.md list the accounts and schedule a post", async () => {
  const { folder, code } = await programOf("README.md", "sh");
  const { accountId, settings } = await reader();
  const calls = code.slice(code.indexOf("curl ")).replaceAll("http://localhost:3000", env.baseUrl);
  const { stdout } = await run(
    "sh",
    ["-ec", calls.replace(": 1,", `: ${accountId},`).replace(/^curl/gm, "echo; curl -sS")],
    {
      cwd: folder,
      env: { ...settings, TOKEN: settings.CARILLON_TOKEN },
    },
  );
  const [accounts, post] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(accounts).toEqual([expect.objectContaining({ id: accountId, platform: "X_TWITTER" })]);
  expect(post).toMatchObject({ overallStatus: "SCHEDULED", scheduledTime: "2030-01-01T16:00:00Z" });
});

test("the command and the body of docs/api.md create a webhook and a feed", async () => {
  const { folder, code } = await programOf("docs/api.md", "sh");
  const { owner, accountId, settings } = await reader();
  const [command = ""] = code.split("\n\n"); // the other one forwards events (cli/listen.test.ts)
  const own = command.replace("http://localhost:3000", env.baseUrl);
  const { stdout } = await run("sh", ["-ec", own], {
    cwd: folder,
    env: { ...settings, TOKEN: settings.CARILLON_TOKEN },
  });
  expect(JSON.parse(stdout)).toMatchObject({ url: "https://hooks.acme.example/carillon", enabled: true });
  const feed = JSON.parse((await programOf("docs/api.md", "json")).code.replace(": 42", `: ${accountId}`));
  expect(await readResponse(as(owner).post("/v1/feeds", { ...feed, url: feedUrl() }))).toMatchObject([
    201,
    { state: "ACTIVE" },
  ]);
});

describe("docs/feeds.md adds a feed after a dry run", () => {
  const content = "A new bell\n\nhttps://bells.example/1";

  async function expectOneDraft(owner: string): Promise<void> {
    const [, feeds] = await readResponse(as(owner).get("/v1/feeds"));
    expect(feeds).toMatchObject([{ state: "ACTIVE", posts: 1, template: { isDraft: true } }]);
    const [, { items }] = (await readResponse(as(owner).get("/v1/posts"))) as [number, { items: unknown[] }];
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
