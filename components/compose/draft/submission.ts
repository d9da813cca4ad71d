import { serverNow } from "../../api/client";
import type { ApiNewSchedule, ApiPublication, ApiSchedule } from "../../api/types";
import { tagsIn } from "../../networks/formats";
import type { TaggedPerson } from "../../networks/types";
import type { Target } from "../targets/targets";
import { coveredVideo } from "../targets/targets";
import { timeOf } from "../time/time-of";
import type { Upload } from "../uploads/use-uploads";
import type { Draft } from "./draft";

/** The request for the draft, with the idempotency key that makes a repeat safe. */
export type Submission = { body: ApiNewSchedule; key: string };

/** Builds the request. "Now" is the server's time, so a wrong browser clock cannot delay or refuse it. */
export function submissionOf(draft: Draft, targets: Target[]): Submission {
  const scheduledTime = (timeOf(draft) ?? new Date(serverNow())).toISOString();
  return {
    key: randomKey(),
    body: { scheduledTime, isDraft: false, publications: publicationsOf(targets, storedPath) },
  };
}

/** Any future time; the other checks do not depend on it. */
const SOME_TIME = "2100-01-01T00:00:00Z";

/**
 * Builds the request for validation while typing. A file that is still uploading is represented by a web address, so
 * that only problems independent of its content are reported.
 */
export function checkRequest(targets: Target[]): ApiNewSchedule {
  const path = ({ path, id }: Upload) => path ?? `https://underway.invalid/${encodeURIComponent(id)}`;
  return { scheduledTime: SOME_TIME, isDraft: false, publications: publicationsOf(targets, path) };
}

/** Builds the request that saves a draft, with finished uploads, and without a time for "now". */
export function draftRequest(draft: Draft, targets: Target[]): ApiNewSchedule {
  const at = timeOf(draft);
  return {
    ...(at && { scheduledTime: at.toISOString() }),
    isDraft: true,
    publications: publicationsOf(targets, storedPath),
  };
}

type PathOf = (file: Upload) => string | undefined;

const storedPath: PathOf = ({ path }) => path;

/** The only place where the page's state becomes the publications of a request. */
export function publicationsOf(targets: Target[], pathOf: PathOf): ApiNewSchedule["publications"] {
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

/** Returns a random `Idempotency-Key`. `crypto.randomUUID` exists only on https and loopback. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

type Sent = ApiNewSchedule["publications"][number];

/**
 * Serialises publications so that equal ones have equal texts, whatever the order; ignores empty values and
 * switched-off settings.
 */
export function comparablePublications(publications: (Sent | ApiPublication)[]): string[] {
  return publications.map(wireOf).toSorted();
}

/** "No" to a question is an answer, unlike a switch that is off. */
export const isQuestion = (name: string) => QUESTIONS.includes(name);
const QUESTIONS = ["madeForKids", "containsSyntheticMedia", "notifySubscribers"];

function wireOf({ socialMediaAccountId, platformSettings, posts }: Sent | ApiPublication): string {
  const settings = Object.entries(platformSettings).filter(
    ([name, value]) => value !== "" && (value !== false || isQuestion(name)),
  );
  const comparable = settings.map(([name, value]) => [name, Array.isArray(value) ? tagsIn(value).map(entryOf) : value]);
  return JSON.stringify([socialMediaAccountId, comparable.toSorted(), posts.map(partsOf)]);
}

/** An entry of a list in one form: the fields of a tag have any order, and it may omit its attachment. */
const entryOf = ({ username, x, y, attachment = 0 }: TaggedPerson) => [username, x, y, attachment];

function partsOf(post: Sent["posts"][number] | ApiPublication["posts"][number]) {
  const { content = "", attachmentPaths = [], chatId = null } = post;
  return [content, attachmentPaths, chatId, coverOf(post) ?? null];
}

/** Returns the cover; requests and responses name it differently (SPEC). */
export function coverOf(post: Sent["posts"][number] | ApiPublication["posts"][number]): string | undefined {
  return "thumbnail" in post ? post.thumbnail : "thumbnailPath" in post ? post.thumbnailPath : undefined;
}

/** Whether a stored schedule equals a request. */
export function isSameAsRequest(schedule: ApiSchedule, asked: ApiNewSchedule): boolean {
  const isDraft = schedule.overallStatus === "DRAFT";
  return (
    isDraft === asked.isDraft &&
    timeIn(schedule) === timeIn(asked) &&
    JSON.stringify(comparablePublications(schedule.publications)) ===
      JSON.stringify(comparablePublications(asked.publications))
  );
}

/** The instant, independent of its notation. */
function timeIn({ scheduledTime }: { scheduledTime?: string }): number | undefined {
  return scheduledTime === undefined ? undefined : Date.parse(scheduledTime);
}
