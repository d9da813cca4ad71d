/**
 * Creates people with connected accounts in a running product with the product's own code, which is faster than one command
 * each. Prints `[{ token, accounts: [{ id, person, network, settings, post }] }]` with the parts of the simplest post.
 */
import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { openData } from "../../lib/db/open";
import type { Platform } from "../../lib/platforms";

const wanted: { platform: Platform; accounts: number; expired?: number }[] = JSON.parse(process.argv[2] ?? "[]");

const data = await openData("command");
const { connectWithoutBrowser } = await import("../../lib/connect");
const { accounts: accountsTable, db } = await import("../../lib/db");
const { networkOf } = await import("../../lib/networks");
const { allScopes, createPersonalToken } = await import("../../lib/oauth");
const { platforms } = await import("../../lib/platforms");
const { uploaded } = await import("../../lib/testing/media");
const { as, told } = await import("../../lib/testing/owners");
const { recipeOf } = await import("../../lib/testing/recipe");
const { createUser } = await import("../../lib/users");

const newName = () => `p${randomBytes(5).toString("hex")}`;

/** The parts of an owner's posts on a platform besides the text. */
async function partsFor(ownerId: string, platform: Platform) {
  const network = networkOf(platform);
  const { platformSettings, files } = recipeOf(network);
  const attachmentPaths = [];
  for (const { bytes, filename } of await files()) {
    attachmentPaths.push(await uploaded(as(ownerId), bytes, filename));
  }
  const chatOf = async (account: number) => {
    if (!network.destinations) return undefined;
    const [, chats] = await told(as(ownerId).get(`/v1/accounts/${account}/chats?platform=${platform}`));
    return (chats as { id: string }[])[0]?.id;
  };
  return { platformSettings, attachmentPaths, chatOf };
}

const people = [];
for (const { platform, accounts, expired = 0 } of wanted) {
  const { id } = await createUser({
    ...{ email: `${newName()}@example.com`, password: "a long password", isConfirmed: true },
  });
  const { access_token } = await createPersonalToken(id, allScopes);
  const { platformSettings: settings, attachmentPaths, chatOf } = await partsFor(id, platform);
  const connected = [];
  for (let n = 0; n < accounts; n++) {
    const person = newName();
    const account = await connectWithoutBrowser(id, platform, person);
    if (n < expired) {
      const past = { tokensExpireAt: sql`now() - interval '1 minute'` };
      await db.update(accountsTable).set(past).where(eq(accountsTable.id, account));
    }
    const post = { attachmentPaths, chatId: await chatOf(account) };
    connected.push({ id: account, person, network: platforms[platform], settings, post });
  }
  people.push({ token: access_token, accounts: connected });
}
await data.close();
console.log(JSON.stringify(people));
