import { serverNow } from "../api/clock";
import type { NewSchedule } from "../api/types";
import { coveredIn } from "./cover/covers";
import type { Draft } from "./draft";
import type { Target } from "./targets";
import { timeOf } from "./time-of";
import type { Upload } from "./use-uploads";

/** The request for what is on the page, and the key that makes repeating it harmless. */
export type Submission = { body: NewSchedule; key: string };

/** "Now" is the server's now, so a wrong browser clock cannot delay or refuse it. */
export function submissionOf(draft: Draft, targets: Target[]): Submission {
  const scheduledTime = (timeOf(draft) ?? new Date(serverNow())).toISOString();
  return {
    key: randomKey(),
    body: { scheduledTime, isDraft: false, publications: publicationsOf(targets, storedPath) },
  };
}

/** Any time to come: what else is wrong does not depend on it. */
const SOME_TIME = "2100-01-01T00:00:00Z";

/**
 * The request as it is checked while it is being written. A file that is still on its way stands as one of the web, of which
 * only that is said which is wrong whatever it turns out to be.
 */
export function checkOf(targets: Target[]): NewSchedule {
  const path = ({ path, id }: Upload) => path ?? `https://underway.invalid/${encodeURIComponent(id)}`;
  return { scheduledTime: SOME_TIME, isDraft: false, publications: publicationsOf(targets, path) };
}

/** The request that keeps it as a draft, with the files that are there; a draft for now has no time yet, and empty titles. */
export function keepingOf(draft: Draft, targets: Target[]): NewSchedule {
  const at = timeOf(draft);
  const withTitles = targets.map((target) => ({ ...target, settings: { ...emptyTexts(target), ...target.settings } }));
  return {
    ...(at && { scheduledTime: at.toISOString() }),
    isDraft: true,
    publications: publicationsOf(withTitles, storedPath),
  };
}

/** Of a draft the API asks for every required field, and takes an empty text for one. */
function emptyTexts({ network }: Target): Target["settings"] {
  const texts = network.settings.filter(({ kind, required }) => required && kind === "text");
  return Object.fromEntries(texts.map(({ name }) => [name, ""]));
}

type PathOf = (file: Upload) => string | undefined;

const storedPath: PathOf = ({ path }) => path;

/** What every account is sent: the one place where the page turns into a request. */
export function publicationsOf(targets: Target[], pathOf: PathOf): NewSchedule["publications"] {
  return targets.map(({ account, network, settings, posts, chatId }) => ({
    socialMediaAccountId: account.id,
    platformSettings: { ...settings, type: network.settingsType },
    posts: posts.map((post) => {
      const cover = coveredIn(post)?.cover?.path;
      return {
        content: post.text,
        attachmentPaths: post.files.flatMap((file) => pathOf(file) ?? []),
        ...(network.destinations && chatId ? { chatId } : {}),
        ...(cover ? { thumbnailPath: cover } : {}),
      };
    }),
  }));
}

/** An `Idempotency-Key`. `crypto.randomUUID` exists on https and loopback only. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
