/**
 * Makes people with connected accounts in the product that the settings lead to, by its own code and without a command each.
 * Prints `[{ token, accounts: [{ id, person, chatId? }] }]`.
 */
import { openData } from "../../lib/db/open";

const wanted: { platform: "X_TWITTER" | "TELEGRAM"; accounts: number }[] = JSON.parse(process.argv[2] ?? "[]");

const data = await openData("command");
const { storedDestinations } = await import("../../lib/accounts");
const { connectWithoutBrowser } = await import("../../lib/connect");
const { allScopes, createPersonalToken } = await import("../../lib/oauth");
const { createUser } = await import("../../lib/users");
const { randomBytes } = await import("node:crypto");

const people = [];
for (const { platform, accounts } of wanted) {
  const name = `p${randomBytes(5).toString("hex")}`;
  const { id } = await createUser({ email: `${name}@example.com`, password: "a long password" });
  const { access_token } = await createPersonalToken(id, allScopes);
  const connected = [];
  for (let n = 0; n < accounts; n++) {
    const person = `p${randomBytes(5).toString("hex")}`;
    const account = await connectWithoutBrowser(id, platform, person);
    const [chat] = (await storedDestinations([account])).get(account) ?? [];
    connected.push({ id: account, person, chatId: chat?.id });
  }
  people.push({ token: access_token, accounts: connected });
}
await data.close();
console.log(JSON.stringify(people));
