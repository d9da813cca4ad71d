import type { Tx } from "../db";
import { queueMail } from "../mail";
import { defineReader, type WrittenEvent } from "../webhooks";
import { accountsOf, type Named } from "./accounts";
import { accountIn, postFacts, readPost } from "./facts";

/**
 * Writes the mails that events call for: in the transaction in which the log is read on, so that each event leads to one
 * mail and none is left out. A partner's users are the partner's to write to.
 */
export const mailReader = defineReader({
  name: "mail",
  async take(tx, events) {
    const ours = events.filter(({ partnerId, type }) => partnerId === null && Object.hasOwn(writers, type));
    const accounts = await accountsOf(tx, ours);
    for (const event of ours) await writers[event.type]?.(tx, event, accounts);
  },
});

type Writer = (tx: Tx, event: WrittenEvent, accounts: ReadonlyMap<number, Named>) => Promise<unknown>;

/** What is told by mail; the other events are for programs. */
const writers: { [type: string]: Writer | undefined } = {
  "post.completed": (tx, event, accounts) => {
    const { published: shares, scheduleId, text } = postFacts(readPost(event.data), accounts);
    return queueMail(tx, { kind: "postPublished", ...addressed(event), facts: { scheduleId, text, shares } });
  },
  "post.partially_completed": failed,
  "post.failed": failed,
  "post.media_import_failed": failed,
  "account.reconnect_required": (tx, event, accounts) => {
    const account = accounts.get(accountIn(event.data));
    if (!account) return Promise.resolve();
    const { id: accountId, name, reason } = account;
    return queueMail(tx, { kind: "accountReconnect", ...addressed(event), facts: { accountId, name, reason } });
  },
};

function failed(tx: Tx, event: WrittenEvent, accounts: ReadonlyMap<number, Named>): Promise<unknown> {
  const { published, missing: shares, scheduleId, text } = postFacts(readPost(event.data), accounts);
  const facts = { scheduleId, text, shares, published: published.length };
  return queueMail(tx, { kind: "postFailed", ...addressed(event), facts });
}

/** An event is told of once: its place in the log is what the mail is about. */
const addressed = ({ ownerId, xid, id }: WrittenEvent) => ({ ownerId, about: `event ${xid}.${id}` });
