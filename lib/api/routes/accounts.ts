import { z } from "zod";
import {
  confirmAccount,
  disconnectAndRevoke,
  getAccountOptions,
  getUsableAccount,
  listAccounts,
  listDestinationParts,
  listDestinations,
  listSettingOptions,
  presentAccount,
  presentDestination,
} from "../../accounts";
import { json } from "../../http/json";
import { listAccountPlans, presentAccountPlan } from "../../schedules";
import { connectUserId } from "../caller";
import { route } from "../route";
import {
  AccountOptionsView,
  AccountPlanView,
  AccountView,
  ChatView,
  IdParam,
  idOf,
  PlatformEnum,
  SectionView,
  SettingOptionView,
} from "../shapes";
import { accountExample, accountOptionsExample, chatExample, connectHeaderExample, queueExample } from "./examples";

const held = { status: 409, when: "The account is held", error: "Account 42 must be confirmed first" };
const refusedBy = (network: string) => ({
  status: 409,
  when: "The network no longer accepts the account's permission",
  error: `${network} no longer accepts this account's permission. Reconnect the account`,
});

export const listAccountsRoute = route({
  method: "get",
  path: "/v1/accounts",
  summary: "List the user's connected accounts",
  scope: "accounts.read",
  orProposer: true,
  description:
    "Accounts are connected in the dashboard, or by a partner's users through the connect bridge. A post names its accounts by their `id`.",
  answers: { 200: z.array(AccountView) },
  examples: [{ answer: [accountExample] }],
  async handle({ caller }) {
    return json((await listAccounts(caller.ownerId)).map(presentAccount));
  },
});

export const listAccountPlansRoute = route({
  method: "get",
  path: "/v1/accounts/plans",
  summary: "List what is planned on each account",
  scope: "posts.read",
  description:
    "The posting times of each connected account, the number of posts that wait for their time, and the next time.",
  answers: { 200: z.array(AccountPlanView) },
  examples: [{ answer: [{ accountId: 42, ...queueExample, scheduled: 4, nextTime: "2031-05-01T12:00:00Z" }] }],
  async handle({ caller }) {
    return json((await listAccountPlans(caller.ownerId)).map(presentAccountPlan));
  },
});

export const listChatsRoute = route({
  method: "get",
  path: "/v1/accounts/{id}/chats",
  summary: "List an account's channels, Pages or boards",
  scope: "accounts.read",
  orProposer: true,
  params: IdParam,
  description:
    "Telegram: channels and chats where the bot can publish. Facebook: the Pages of the account. Pinterest: its boards. Use the `id` as `chatId` in posts.",
  query: z.object({ platform: PlatformEnum.meta({ description: "The account's own platform" }) }),
  answers: { 200: z.array(ChatView) },
  errorResponses: [
    {
      status: 400,
      when: "The platform has no destinations, or the account belongs to another platform",
      error: "platform must be this account's platform, TELEGRAM",
    },
    refusedBy("Facebook"),
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
  summary: "List the sections of a board",
  scope: "accounts.read",
  params: IdParam.extend({ chatId: z.string().meta({ description: "The `id` of a chat" }) }),
  description:
    "Requested from Pinterest now. Use the `id` as `boardSectionId` in `platformSettings`. Empty for a board without sections, a channel or a Page.",
  answers: { 200: z.array(SectionView) },
  errorResponses: [refusedBy("Pinterest"), held],
  examples: [{ params: { id: "42", chatId: "549755885175" }, answer: [{ id: "5167", title: "Bells" }] }],
  async handle({ caller, params }) {
    const account = await getUsableAccount(caller.ownerId, idOf("Account", params.id));
    return json((await listDestinationParts(account, params.chatId)).map(({ id, title }) => ({ id, title })));
  },
});

export const accountOptionsRoute = route({
  method: "get",
  path: "/v1/accounts/{id}/options",
  summary: "Get what an account can choose now",
  scope: "accounts.read",
  params: IdParam,
  description:
    "Requested from the network now, because it can change at any time: the privacy levels and switches of a TikTok creator, or the maximum video length of a channel. `settings` is empty for accounts without such rules.",
  answers: { 200: AccountOptionsView },
  errorResponses: [refusedBy("TikTok"), held],
  examples: [{ params: { id: "42" }, answer: accountOptionsExample }],
  async handle({ caller, params }) {
    return json(await getAccountOptions(await getUsableAccount(caller.ownerId, idOf("Account", params.id))));
  },
});

export const listSettingOptionsRoute = route({
  method: "get",
  path: "/v1/accounts/{id}/options/{setting}",
  summary: "List the values of a setting",
  scope: "accounts.read",
  params: IdParam.extend({ setting: z.string().meta({ description: "A field of `platformSettings`" }) }),
  description:
    "Requested from the network now: the playlists of a YouTube channel for `playlistId`; the places that match `query` for `locationId` (Instagram, Threads) and `placeId` (Facebook). Empty for other settings.",
  query: z.object({
    query: z
      .string()
      .trim()
      .max(200)
      .default("")
      .meta({ description: "The name of a place; without it, no places are returned" }),
  }),
  answers: { 200: z.array(SettingOptionView) },
  errorResponses: [refusedBy("YouTube"), held],
  examples: [
    { params: { id: "42", setting: "playlistId" }, answer: [{ id: "PLabc_DEF-123", title: "Bells" }] },
    {
      title: "Places",
      params: { id: "42", setting: "placeId" },
      query: { query: "Bell Tower" },
      answer: [{ id: "110506962309835", title: "Bell Tower, Sint-Baafsplein, Ghent, Belgium" }],
    },
  ],
  async handle({ caller, params, query }) {
    const account = await getUsableAccount(caller.ownerId, idOf("Account", params.id));
    const options = await listSettingOptions(account, params.setting, query.query);
    return json(options.map(({ id, title }) => ({ id, title })));
  },
});

export const confirmAccountRoute = route({
  method: "post",
  path: "/v1/accounts/{id}/confirm",
  summary: "Confirm a held account",
  scope: "partner",
  forUser: true,
  params: IdParam,
  description:
    "If a partner holds new accounts, they are `HELD` and cannot be used. The partner's backend compares `accountUsername` of the event `account.connected` with the expected person, then confirms or disconnects the account. Confirming an account that is not held changes nothing.",
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
  summary: "Disconnect an account",
  scope: "api",
  params: IdParam,
  description:
    "Deletes its tokens at once and revokes them at the network. Everything still to be published on it will fail.",
  answers: { 204: "Disconnected" },
  examples: [{ params: { id: "42" } }],
  async handle({ caller, params }) {
    await disconnectAndRevoke(caller.ownerId, idOf("Account", params.id));
    return new Response(null, { status: 204 });
  },
});
