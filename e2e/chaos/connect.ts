/**
 * A resident process that creates people with connected accounts in a running product with the product's own code, which is faster
 * than one command each. It receives `{ id, wanted }` and answers `{ id, people: [{ token, accounts }] }`, each account with the
 * parts of the simplest post, or `{ id, error }`.
 */
import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { connectWithoutBrowser } from "../../lib/connect";
import { accounts as accountsTable, db } from "../../lib/db";
import { openData } from "../../lib/db/open";
import { networkOf } from "../../lib/networks";
import { allScopes, createPersonalToken } from "../../lib/oauth";
import { type Platform, platforms } from "../../lib/platforms";
import { uploaded } from "../../lib/testing/media";
import { as, told } from "../../lib/testing/owners";
import { recipeOf } from "../../lib/testing/recipe";
import { createUser } from "../../lib/users";

type Wanted = { platform: Platform; accounts: number; expired?: number };

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

async function newPerson({ platform, accounts, expired = 0 }: Wanted) {
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
  return { token: access_token, accounts: connected };
}

/** Opens the database for one call only, because the trials stop and replace it. */
async function newPeople(wanted: Wanted[]) {
  const data = await openData("command");
  try {
    const people = [];
    for (const one of wanted) people.push(await newPerson(one));
    return people;
  } finally {
    await data.close();
  }
}

// One call after the other, because each opens the database and closes it again.
let last = Promise.resolve();
process.on("message", ({ id, wanted }: { id: number; wanted: Wanted[] }) => {
  last = last.then(async () => {
    const answer = await newPeople(wanted).then(
      (people) => ({ people }),
      (error) => ({ error: error instanceof Error ? error.stack : String(error) }),
    );
    process.send?.({ id, ...answer });
  });
});
process.on("disconnect", () => process.exit());
