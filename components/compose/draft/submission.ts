import { serverNow } from "../../api/client";
import type { NewSchedule, Publication, Schedule } from "../../api/types";
import type { Target } from "../targets/targets";
import { coveredVideo } from "../targets/targets";
import { timeOf } from "../time/time-of";
import type { Upload } from "../uploads/use-uploads";
import type { Draft } from "./draft";

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
export function checkRequest(targets: Target[]): NewSchedule {
  const path = ({ path, id }: Upload) => path ?? `https://underway.invalid/${encodeURIComponent(id)}`;
  return { scheduledTime: SOME_TIME, isDraft: false, publications: publicationsOf(targets, path) };
}

/** The request that keeps it as a draft, with the files that are there; a draft for now has no time yet, and empty titles. */
export function draftRequest(draft: Draft, targets: Target[]): NewSchedule {
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
      const cover = coveredVideo(post)?.cover?.path;
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

type Sent = NewSchedule["publications"][number];

/**
 * Publications as texts that are the same for the same, in whatever order they, or their settings, stand; what is switched off
 * or empty says nothing.
 */
export function comparablePublications(publications: (Sent | Publication)[]): string[] {
  return publications.map(wireOf).toSorted();
}

function wireOf({ socialMediaAccountId, platformSettings, posts }: Sent | Publication): string {
  const settings = Object.entries(platformSettings).filter(([, value]) => value !== "" && value !== false);
  return JSON.stringify([socialMediaAccountId, settings.toSorted(), posts.map(partsOf)]);
}

function partsOf(post: Sent["posts"][number] | Publication["posts"][number]) {
  const { content = "", attachmentPaths = [], chatId = null } = post;
  return [content, attachmentPaths, chatId, coverOf(post) ?? null];
}

/** A cover is asked for under one name and answered under another (SPEC). */
export function coverOf(post: Sent["posts"][number] | Publication["posts"][number]): string | undefined {
  return "thumbnail" in post ? post.thumbnail : "thumbnailPath" in post ? post.thumbnailPath : undefined;
}

/** Whether a schedule is what a request asked for. */
export function isSameAsRequest(schedule: Schedule, asked: NewSchedule): boolean {
  const isDraft = schedule.overallStatus === "DRAFT";
  return (
    isDraft === asked.isDraft &&
    timeIn(schedule) === timeIn(asked) &&
    JSON.stringify(comparablePublications(schedule.publications)) ===
      JSON.stringify(comparablePublications(asked.publications))
  );
}

/** The instant, however it is written. */
function timeIn({ scheduledTime }: { scheduledTime?: string }): number | undefined {
  return scheduledTime === undefined ? undefined : Date.parse(scheduledTime);
}
