import { randomBytes } from "node:crypto";
import { storeAccount } from "../accounts";
import { connectWithoutBrowser } from "../connect";
import { callbackUri } from "../connect/addresses";
import { db } from "../db";
import { appOf, type Network, networkOf, networkSession } from "../networks";
import { connectBy } from "../networks/testing/connect";
import type { Platform } from "../platforms";
import { type Client, readResponse } from "./owners";

/** Returns a name that no other test uses: an account can be connected only once, and all tests share the sandbox. */
export function newPerson(): string {
  return `p${randomBytes(6).toString("hex")}`;
}

/**
 * Connects the account of a sandbox person, a new one by default: the network's consent, its tokens and its profile are real,
 * but there is no connect attempt with its trace. It costs a third less than `connectWithoutBrowser`, which the tests of
 * connecting use.
 */
export async function connectAccount(
  ownerId: string,
  platform: Platform,
  person = newPerson(),
): Promise<{ id: number; person: string }> {
  const network = networkOf(platform);
  // A bot reports its users only to the reader of its updates, which finds the attempt.
  if (network.connect.kind === "bot") return { id: await connectWithoutBrowser(ownerId, platform, person), person };
  const tokens = await connectBy(appOf(network), network.connect, person, { callback: callbackUri(network) });
  const profile = await network.profile(networkSession(network, { accountId: "", username: "", tokens }));
  const { id } = await db.transaction((tx) => storeAccount(tx, network, ownerId, profile, tokens));
  return { id, person };
}

type Chat = { id: string; title: string; type: string; platform: string };

/** Returns an account's destinations, as the API lists them. */
export async function chatsOf(client: Client, account: number, platform: Platform): Promise<Chat[]> {
  const [status, chats] = await readResponse(client.get(`/v1/accounts/${account}/chats?platform=${platform}`));
  if (status !== 200) throw new Error(`the destinations were not listed: ${status} ${JSON.stringify(chats)}`);
  return chats as Chat[];
}

/** Returns the account's first destination; undefined if the network has none to choose from. */
export async function firstChat(client: Client, account: number, network: Network): Promise<string | undefined> {
  return network.destinations && (await chatsOf(client, account, network.platform))[0]?.id;
}
