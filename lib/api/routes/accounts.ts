import { z } from "zod";
import {
  confirmAccount,
  disconnectAndRevoke,
  getUsableAccount,
  listAccounts,
  listDestinations,
  listDestinationParts,
  getAccountOptions,
  presentAccount,
  presentDestination,
} from "../../accounts";
import { json } from "../../http/json";
import { connectUserId } from "../caller";
import { route } from "../route";
import { AccountOptionsView, AccountView, ChatView, IdParam, idOf, PlatformEnum, SectionView } from "../shapes";
import { accountExample, accountOptionsExample, chatExample, connectHeaderExample } from "./examples";

const held = { status: 409, when: "The account is held", error: "Account 42 waits to be confirmed" };

export const listAccountsRoute = route({
  method: "get",
  path: "/v1/accounts",
  summary: "The user's connected accounts",
  scope: "accounts.read",
  description:
    "Accounts are connected in the dashboard, or by a partner's users through the connect bridge. The `id` is what publications name.",
  answers: { 200: z.array(AccountView) },
  examples: [{ answer: [accountExample] }],
  async handle({ caller }) {
    return json((await listAccounts(caller.ownerId)).map(presentAccount));
  },
});

export const listChatsRoute = route({
  method: "get",
  path: "/v1/accounts/{id}/chats",
  summary: "Where an account can publish to: channels, Pages or boards",
  scope: "accounts.read",
  params: IdParam,
  description:
    "Telegram: channels and chats where the bot may publish. Facebook: the Pages that the account manages. Pinterest: its boards. The `id` is what a post names as `chatId`.",
  query: z.object({ platform: PlatformEnum.meta({ description: "The account's own platform" }) }),
  answers: { 200: z.array(ChatView) },
  refusals: [
    {
      status: 400,
      when: "The platform has no destinations, or is not the account's",
      error: "platform is not this account's: it is TELEGRAM",
    },
    {
      status: 409,
      when: "The network no longer accepts the account's permission",
      error: "Facebook no longer accepts this account's permission. Connect the account again",
    },
    held,
  ],
  examples: [{ params: { id: "42" }, query: { platform: "TELEGRAM" }, answer: [chatExample] }],
  async handle({ caller, params, query }) {
    const account = await getUsableAccount(caller.ownerId, idOf("Account", params.id));
    const destinations = await listDestinations(account, query.platform);
    return json(destinations.map((destination) => presentDestination(account.platform, destination)));
  },
});

export const listSectionsRoute = route({
  method: "get",
  path: "/v1/accounts/{id}/chats/{chatId}/sections",
  summary: "The sections of a board",
  scope: "accounts.read",
  params: IdParam.extend({ chatId: z.string().meta({ description: "The `id` of a chat" }) }),
  description:
    "Asked of Pinterest at once. The `id` is what `platformSettings` names as `boardSectionId`. A board without sections has none, and neither has a channel or a Page.",
  answers: { 200: z.array(SectionView) },
  refusals: [
    {
      status: 409,
      when: "The network no longer accepts the account's permission",
      error: "Pinterest no longer accepts this account's permission. Connect the account again",
    },
    held,
  ],
  examples: [{ params: { id: "42", chatId: "549755885175" }, answer: [{ id: "5167", title: "Bells" }] }],
  async handle({ caller, params }) {
    const account = await getUsableAccount(caller.ownerId, idOf("Account", params.id));
    return json((await listDestinationParts(account, params.chatId)).map(({ id, title }) => ({ id, title })));
  },
});

export const accountOptionsRoute = route({
  method: "get",
  path: "/v1/accounts/{id}/options",
  summary: "What an account may choose just now",
  scope: "accounts.read",
  params: IdParam,
  description:
    "Asked of the network at once, because it may change from one post to the next: which privacy levels a TikTok creator has and what they have switched off, how long a channel's videos may last. An account without such rules has no `settings` named.",
  answers: { 200: AccountOptionsView },
  refusals: [
    {
      status: 409,
      when: "The network no longer accepts the account's permission",
      error: "TikTok no longer accepts this account's permission. Connect the account again",
    },
    held,
  ],
  examples: [{ params: { id: "42" }, answer: accountOptionsExample }],
  async handle({ caller, params }) {
    return json(await getAccountOptions(await getUsableAccount(caller.ownerId, idOf("Account", params.id))));
  },
});

export const confirmAccountRoute = route({
  method: "post",
  path: "/v1/accounts/{id}/confirm",
  summary: "Lets a held account be used",
  scope: "partner",
  forUser: true,
  params: IdParam,
  description:
    "Where a partner has its accounts held, one that was just connected is `HELD`: nothing is published on it, and nothing can be scheduled for it. The partner's backend compares `accountUsername` of the event `account.connected` with whom it expects, and confirms the account or disconnects it. Confirming one that is not held changes nothing.",
  answers: { 200: AccountView },
  examples: [{ params: { id: "42" }, headers: connectHeaderExample, answer: accountExample }],
  async handle({ partner, params, request }) {
    const owner = await connectUserId(partner.id, request.headers);
    return json(presentAccount(await confirmAccount(owner, idOf("Account", params.id))));
  },
});

export const disconnectAccountRoute = route({
  method: "delete",
  path: "/v1/accounts/{id}",
  summary: "Disconnects an account; its tokens are erased at once",
  scope: "api",
  params: IdParam,
  description:
    "Its tokens are erased at once and the network is told that they are void; what was still to be published on it will fail.",
  answers: { 204: "Disconnected" },
  examples: [{ params: { id: "42" } }],
  async handle({ caller, params }) {
    await disconnectAndRevoke(caller.ownerId, idOf("Account", params.id));
    return new Response(null, { status: 204 });
  },
});
