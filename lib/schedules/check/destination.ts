import type { Problem } from "../../errors";
import type { Network } from "../../networks";
import type { NewSchedule } from "../input";
import type { Facts, KnownAccount } from "./facts";
import { partsKey } from "./fetch-sections";

type NewPost = NewSchedule["publications"][number]["posts"][number];

const CHOOSE_CHAT = "Use an id of GET /v1/accounts/{id}/chats";

/** The destination that a post goes to: the one that it names, else the account's only one where that may be meant. */
export function chooseDestination(
  network: Network,
  account: KnownAccount | undefined,
  post: NewPost,
  path: string,
  isDraft: boolean,
  facts: Facts,
  problems: Problem[],
): string | undefined {
  if (!network.destinations) return undefined; // ignored, not stored, not answered (SPEC, "Post")
  const known = account && facts.destinations.get(account.id);
  if (post.chatId) {
    if (known && !known.some(({ id }) => id === post.chatId)) {
      const message = `is not a destination of this ${network.name} account: ${post.chatId}`;
      problems.push({ path: `${path}.chatId`, message, rule: "chat.unknown", fix: CHOOSE_CHAT });
    }
    return post.chatId;
  }
  const [only, ...others] = known ?? [];
  if (only && others.length === 0 && !network.destinations.required) return only.id;
  if (!isDraft) {
    const why = whyNone(network, known);
    const message = `cannot be null: ${network.destinations.required ? `${network.name} needs one` : why}`;
    const change = onlyOf(known ?? []);
    problems.push({ path: `${path}.chatId`, message, rule: "chat.required", fix: CHOOSE_CHAT, change });
  }
  return undefined;
}

/** A setting that names a part of the destination which that does not have. */
export function partProblems(
  { name, destinations }: Network,
  account: KnownAccount,
  settings: { [name: string]: unknown },
  posts: { chatId?: string }[],
  path: string,
  facts: Facts,
): Problem[] {
  const parts = destinations?.parts;
  const named = parts && settings[parts.setting];
  if (!parts || typeof named !== "string") return [];
  return posts.flatMap(({ chatId }) => {
    const known = chatId === undefined ? undefined : facts.parts.get(partsKey(account.id, chatId));
    if (!known || known.some(({ id }) => id === named)) return [];
    const message = `is not a ${parts.name} of this ${name} ${parts.of}: ${named}`;
    const offered = known.map(({ id, title }) => `${id} (${title})`).join(", ");
    const fix = offered ? `Use one of these: ${offered}` : `Leave it out: the ${parts.of} has none`;
    const change = { op: "remove" } as const;
    return [{ path: `${path}.${parts.setting}`, message, rule: "chat.part", measured: named, fix, change }];
  });
}

function whyNone({ name }: Network, known: { id: string }[] | undefined): string {
  if (!known) return `${name} could not be asked which destinations the account has`;
  return known.length === 0 ? "the account has no destination yet" : "the account has several destinations";
}

/** Where there is but one destination, it is chosen; `add` sets the field whether or not it stands there (RFC 6902, 4.1). */
function onlyOf([only, ...others]: { id: string }[]): Problem["change"] {
  return only && others.length === 0 ? { op: "add", value: only.id } : undefined;
}
