import { randomBytes } from "node:crypto";
import { connectWithoutBrowser } from "../connect";
import type { Network } from "../networks";
import type { Platform } from "../platforms";
import { type Client, told } from "./owners";

/** Returns a name that no other test uses: an account can be connected only once, and all tests share the sandbox. */
export function newPerson(): string {
  return `p${randomBytes(6).toString("hex")}`;
}

/** Connects the account of a new sandbox person. */
export async function connect(ownerId: string, platform: Platform): Promise<{ id: number; person: string }> {
  const person = newPerson();
  return { id: await connectWithoutBrowser(ownerId, platform, person), person };
}

type Chat = { id: string; title: string; type: string; platform: string };

/** Returns an account's destinations, as the API lists them. */
export async function chatsOf(client: Client, account: number, platform: Platform): Promise<Chat[]> {
  const [status, chats] = await told(client.get(`/v1/accounts/${account}/chats?platform=${platform}`));
  if (status !== 200) throw new Error(`the destinations were not listed: ${status} ${JSON.stringify(chats)}`);
  return chats as Chat[];
}

/** Returns the account's first destination; undefined if the network has none to choose from. */
export async function firstChat(client: Client, account: number, network: Network): Promise<string | undefined> {
  return network.destinations && (await chatsOf(client, account, network.platform))[0]?.id;
}
