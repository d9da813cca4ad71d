/**
 * A resident process that creates people with connected accounts in a running product with the product's own code, which is faster
 * than one command each. It receives `{ id, wanted }` and answers `{ id, people: [{ token, accounts }] }`, each account with the
 * parts of a post, or `{ id, error }`.
 */
import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { connectWithoutBrowser } from "../../lib/connect";
import { accounts as accountsTable, db } from "../../lib/db";
import { openData } from "../../lib/db/open";
import { networkOf } from "../../lib/networks";
import { allScopes, createPersonalToken } from "../../lib/oauth";
import { type Platform, platforms } from "../../lib/platforms";
import { firstChat } from "../../lib/testing/accounts";
import { formatsOf, newAuthor, publicationPartsOf } from "../../lib/testing/formats";
import { uploaded } from "../../lib/testing/media";
import { as } from "../../lib/testing/owners";
import { recipeOf } from "../../lib/testing/recipe";
import { setSwitches } from "../../lib/testing/sandbox";
import { createUser } from "../../lib/users";

type Wanted = { platform: Platform; accounts: number; expired?: number; isMixed?: true };

const newName = () => `p${randomBytes(5).toString("hex")}`;

async function newPerson({ platform, accounts, expired = 0, isMixed }: Wanted) {
  const { id } = await createUser({
    ...{ email: `${newName()}@example.com`, password: "a long password" },
  });
  const { access_token } = await createPersonalToken(id, allScopes);
  const parts = await (isMixed ? mixedParts(id, platform) : plainParts(id, platform));
  const connected = [];
  for (let n = 0; n < accounts; n++) {
    const person = newName();
    const account = await connectWithoutBrowser(id, platform, person);
    if (n < expired) {
      const past = { tokensExpireAt: sql`now() - interval '1 minute'` };
      await db.update(accountsTable).set(past).where(eq(accountsTable.id, account));
    }
    connected.push({ id: account, person, network: platforms[platform], ...(await parts({ id: account, person }, n)) });
  }
  return { token: access_token, accounts: connected };
}

type Account = { id: number; person: string };

/** All posts of an owner's accounts are the simplest that the network takes. */
async function plainParts(ownerId: string, platform: Platform) {
  const network = networkOf(platform);
  const { platformSettings: settings, files } = recipeOf(network);
  const attachmentPaths: string[] = [];
  for (const { bytes, filename } of await files()) {
    attachmentPaths.push(await uploaded(as(ownerId), bytes, filename));
  }
  return async ({ id }: Account) => ({
    settings,
    post: { attachmentPaths, chatId: await firstChat(as(ownerId), id, network) },
  });
}

/**
 * The accounts of an owner take turns at the simplest post and at every other format of the network. If the network takes first
 * comments, every second round of turns has them, except for posts without a text, such as stories.
 */
async function mixedParts(ownerId: string, platform: Platform) {
  const author = await newAuthor(ownerId);
  const plain = await plainParts(ownerId, platform);
  const formats = formatsOf(platform);
  if (formats.some(({ isQuote }) => isQuote) && platform === "X_TWITTER") await setSwitches("x", { enterprise: true });
  return async (account: Account, n: number) => {
    const count = formats.length + 1;
    const format = formats[(n % count) - 1];
    const { hasNoText } = format ?? {};
    const hasComment = networkOf(platform).comment !== undefined && Math.floor(n / count) % 2 === 0 && !hasNoText;
    if (!format) return { ...(await plain(account)), hasComment };
    const { platformSettings: settings, post } = await publicationPartsOf(format, author, account);
    return { settings, post, hasComment, hasNoText };
  };
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
