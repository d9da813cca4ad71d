import { eq, sql } from "drizzle-orm";
import { dbOrTransaction, users } from "../db";
import { env } from "../env";
import { NotFound } from "../errors";
import { isMacOf, macOf } from "../secrets";
import { getDigest } from "./digest";
import { type NoticeKind, noticeKinds, type SubscribedKind, subscribedKinds } from "./kinds";
import { clockOf, getQuietHours, presentQuietHours } from "./quiet";

/** Which notices a person gets by mail. */
export type MailPreferences = { [K in NoticeKind]: boolean };

/** Returns a user's preferences. All are false for a partner's user, who never gets mail. */
export async function getMailPreferences(userId: string): Promise<MailPreferences> {
  const [row] = await dbOrTransaction
    .select({ muted: users.mutedMails, partnerId: users.partnerId })
    .from(users)
    .where(eq(users.id, userId));
  if (!row) throw new NotFound("User", userId);
  const wants = (kind: NoticeKind) => row.partnerId === null && !row.muted.includes(kind);
  return { ...byKind(wants) };
}

/** The mail preferences, the digest and the quiet hours of a user, as the API shows them. @throws NotFound */
export async function presentNotifications(userId: string) {
  const [quietHours, digest] = [await getQuietHours(userId), await getDigest(userId)];
  return {
    email: await getMailPreferences(userId),
    ...(digest ? { digest: { time: clockOf(digest.minute), timeZone: digest.timeZone } } : {}),
    ...(quietHours ? { quietHours: presentQuietHours(quietHours) } : {}),
  };
}

export async function setMailPreferences(userId: string, wanted: MailPreferences): Promise<MailPreferences> {
  const muted = noticeKinds.filter((kind) => !wanted[kind]);
  // Whether the digest is muted does not change.
  const others = sql`array(select kind from unnest(${users.mutedMails}) kind where kind <> all(${sql.param([...noticeKinds])}::text[]))`;
  await dbOrTransaction
    .update(users)
    .set({ mutedMails: sql`${others} || ${sql.param(muted)}::text[]` })
    .where(eq(users.id, userId));
  return getMailPreferences(userId);
}

function byKind(wants: (kind: NoticeKind) => boolean): MailPreferences {
  return {
    postPublished: wants("postPublished"),
    postFailed: wants("postFailed"),
    accountReconnect: wants("accountReconnect"),
    webhookDisabled: wants("webhookDisabled"),
  };
}

/** The person and the kind of notice that an unsubscribe link is about. */
export type Subscription = { userId: string; kind: SubscribedKind };

/**
 * Returns the link that unsubscribes a person from one kind of notice without signing in (RFC 8058). It works as long as
 * our keys do.
 */
export function unsubscribeUrl({ userId, kind }: Subscription): string {
  const { keyId, mac } = macOf("unsubscribe", `${userId} ${kind}`);
  return `${env.appUrl}/unsubscribe?${new URLSearchParams({ s: [userId, kind, keyId, mac].join(".") })}`;
}

/** Parses the `s` parameter of an unsubscribe link. Returns undefined if we did not sign it. */
export function readSubscription(text: string): Subscription | undefined {
  const [userId = "", named, keyId = "", mac = "", ...rest] = text.split(".");
  const kind = subscribedKinds.find((known) => known === named);
  if (!kind || rest.length > 0 || !isMacOf("unsubscribe", `${userId} ${kind}`, keyId, mac)) return undefined;
  return { userId, kind };
}

/** Switches one kind of notice on or off. Repeating the call changes nothing. */
export async function setSubscribed({ userId, kind }: Subscription, isWanted: boolean): Promise<void> {
  const without = sql`array_remove(${users.mutedMails}, ${kind}::text)`;
  await dbOrTransaction
    .update(users)
    .set({ mutedMails: isWanted ? without : sql`array_append(${without}, ${kind}::text)` })
    .where(eq(users.id, userId));
}
