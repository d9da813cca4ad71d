import { createHash } from "node:crypto";
import { blockingProblems, type Problem } from "../errors";
import { entityTagOf } from "../http/headers";
import { withZulu } from "../time/instant";
import type { ImportLink } from "./imports/links";
import { type FileTexts, isMissed, type Post, type Publication, type Schedule } from "./read";

/** The parts of a schedule that are presented; a new schedule has them without being read back. */
export type ShownSchedule = Pick<Schedule, "id" | "status" | "scheduledTime" | "pendingImports"> &
  Partial<Pick<Schedule, "changesRequested"> & ProposalMark> & {
    publications: ShownPublication[];
    /** Only of a schedule that has just been created. */
    warnings?: Problem[];
    /** Only of a proposal. */
    fileTexts?: FileTexts;
  };
type ShownPublication = Pick<Publication, "id" | "accountId" | "settings" | "status"> &
  Partial<Pick<Publication, "comment" | "isMissed" | "leftAt">> & { posts: ShownPost[] };
type ShownPost = Pick<Post, "id" | "content" | "attachmentPaths" | "chatId" | "thumbnailPath" | "status"> &
  Partial<Pick<Post, "networkPostId" | "permalink" | "publishedAt" | "error">>;

/** An application that proposes a post: its client ID and name. A personal token has `personal:` and the ID of its grant. */
export type Proposer = { clientId: string; name: string };

/** The columns of a schedule that say who proposed it, and whether a person has approved its content (ADR 52). */
export type ProposalMark = Pick<
  Schedule,
  "proposedAt" | "proposedBy" | "proposedClientId" | "approvedAt" | "approvedDigest"
>;

/** The mark of a new proposal, without an approval. */
export function proposalMark({ clientId, name }: Proposer): ProposalMark {
  const proposedAt = new Date().toISOString();
  return { proposedAt, proposedBy: name, proposedClientId: clientId, approvedAt: null, approvedDigest: null };
}

/** The mark alone; without values if no application proposed the schedule. */
export function markOf(schedule: Partial<ProposalMark>): ProposalMark {
  const { proposedAt = null, proposedBy = null, proposedClientId = null } = schedule;
  const { approvedAt = null, approvedDigest = null } = schedule;
  return { proposedAt, proposedBy, proposedClientId, approvedAt, approvedDigest };
}

/** The mark of a schedule without an approval. */
export function withoutApproval(before: Partial<ProposalMark>): ProposalMark {
  return { ...markOf(before), approvedAt: null, approvedDigest: null };
}

/** The mark of a proposal whose content a person approves. It must be stored together with this content. */
export function approvedMark(before: ProposalMark, content: DigestedContent): ProposalMark {
  return { ...markOf(before), approvedAt: new Date().toISOString(), approvedDigest: proposalDigest(content) };
}

type DigestedContent = Pick<ShownSchedule, "scheduledTime" | "publications" | "fileTexts">;

/**
 * A digest of everything that is sent and when: accounts, settings, texts, files with their names and alt texts, and the time.
 * An approval names it, so that it counts only for the content that the person saw.
 */
export function proposalDigest({ scheduledTime, publications, fileTexts = {} }: DigestedContent): string {
  const textsOf = (key: string | null) => key && [key, ...(fileTexts[key] ?? [])];
  const parts = publications.map(({ accountId, settings, posts }) => [
    accountId,
    sorted(shownSettings(settings)),
    posts.map(({ content, attachmentPaths, chatId, thumbnailPath }) => [
      ...[content, attachmentPaths.map(textsOf), chatId, textsOf(thumbnailPath)],
    ]),
  ]);
  const content = [scheduledTime && withZulu(scheduledTime), parts];
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

/** Sorts the fields of objects by name at every level, because the database does not keep their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
  return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function presentProposal(schedule: ShownSchedule) {
  const { proposedAt, proposedBy, approvedAt } = schedule;
  if (!proposedAt) return {};
  const files = filesOf(schedule);
  return {
    proposal: {
      application: proposedBy ?? "",
      proposedTime: withZulu(proposedAt),
      digest: proposalDigest(schedule),
      ...(files.length > 0 ? { files } : {}),
      ...(approvedAt ? { approvedTime: withZulu(approvedAt) } : {}),
    },
  };
}

/** The stored files of a proposal with the texts that are in its digest, each file once. */
function filesOf({ publications, fileTexts = {} }: ShownSchedule) {
  const posts = publications.flatMap(({ posts }) => posts);
  const paths = posts.flatMap(({ attachmentPaths, thumbnailPath }) => [...attachmentPaths, thumbnailPath ?? []].flat());
  return [...new Set(paths)].flatMap((path) => {
    const [filename, altText] = fileTexts[path] ?? [];
    return filename === undefined ? [] : [{ path, filename, ...(altText ? { altText } : {}) }];
  });
}

/**
 * The entity tag of a presented schedule. It leaves out `warnings`, which only the response of creation has, and the digest and
 * the files of a proposal, which also change with an alt text: a person who changes one while editing the post can still save it.
 */
export function scheduleTag(body: unknown): string {
  if (typeof body !== "object" || body === null) return entityTagOf(body);
  const { warnings: _, proposal, ...shown }: { warnings?: unknown; proposal?: object } = body;
  return entityTagOf({ ...shown, proposal: proposal && { ...proposal, digest: undefined, files: undefined } });
}

/** The creation response of SPEC plus the status of every part (DECISIONS, "Schedules"). Fields without a value are absent. */
export function presentSchedule(schedule: ShownSchedule) {
  return {
    id: schedule.id,
    overallStatus: schedule.status,
    ...(schedule.scheduledTime ? { scheduledTime: withZulu(schedule.scheduledTime) } : {}),
    publications: schedule.publications.map(presentPublication),
    ...(schedule.changesRequested ? { changesRequested: true } : {}),
    ...presentProposal(schedule),
    ...(schedule.pendingImports.length > 0 ? { pendingImports: schedule.pendingImports.map(presentPending) } : {}),
  };
}

/** The response of creation: the schedule, and `warnings` if there are any (DECISIONS, "Warnings"). */
export function presentCreated(schedule: ShownSchedule) {
  const warnings = schedule.warnings?.map(({ path, message }) => ({ path, message })) ?? [];
  return { ...presentSchedule(schedule), ...(warnings.length > 0 ? { warnings } : {}) };
}

function presentPending({ postId, position, importId, sourceUrl, state }: ImportLink) {
  return { postId, attachmentIndex: position, importTaskId: importId, sourceUrl, state };
}

/** Presents one entry of `publications`. */
export function presentPublication(publication: ShownPublication) {
  return {
    id: publication.id,
    socialMediaAccountId: publication.accountId,
    platformSettings: shownSettings(publication.settings),
    status: publication.status,
    posts: publication.posts.map(presentPost),
    ...(isMissed(publication) ? { missed: true } : {}),
    ...(publication.leftAt ? { leftTime: withZulu(publication.leftAt) } : {}),
    ...presentComment(publication.comment),
  };
}

/** The outcome of the first comment; nothing before the publication is published, or without a comment. */
export function presentComment(comment: Publication["comment"] | undefined) {
  if (!comment) return {};
  const { status, id, permalink, error } = comment;
  return {
    firstComment: {
      status,
      ...(id ? { networkCommentId: id } : {}),
      ...(permalink ? { permalink } : {}),
      ...(error ? { error } : {}),
    },
  };
}

/**
 * Omits settings without a value (DECISIONS, "Fields without a value") and sorts the others by name, because the database does
 * not keep the order and entity tags must be stable.
 */
function shownSettings(settings: ShownPublication["settings"]): ShownPublication["settings"] {
  const { type, ...others } = settings;
  const given = Object.entries(others).filter(([, value]) => hasValue(value));
  return { type, ...Object.fromEntries(given.toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** Presents one entry of `posts`. */
export function presentPost(post: ShownPost) {
  return {
    id: post.id,
    ...(post.content === "" ? {} : { content: post.content }),
    ...(post.attachmentPaths.length > 0 ? { attachmentPaths: post.attachmentPaths } : {}),
    ...(post.chatId ? { chatId: post.chatId } : {}),
    ...(post.thumbnailPath ? { thumbnail: post.thumbnailPath } : {}),
    status: post.status,
    ...(post.networkPostId ? { networkPostId: post.networkPostId } : {}),
    ...(post.permalink ? { permalink: post.permalink } : {}),
    ...(post.publishedAt ? { publishedTime: withZulu(post.publishedAt) } : {}),
    ...(post.error ? { error: post.error } : {}),
  };
}

/** The response of validation (DECISIONS, "Schedules"). Warnings do not make a schedule invalid. */
export function presentValidation(problems: Problem[]) {
  return {
    valid: blockingProblems(problems).length === 0,
    problems: problems.map((problem) => {
      const { change, ...shown } = problem;
      return change ? { ...shown, apply: jsonPatchOf(problem) } : shown;
    }),
  };
}

/** One operation of a JSON Patch (RFC 6902) on the body that was checked. */
type PatchOperation = { op: "add" | "replace"; path: string; value: unknown } | { op: "remove"; path: string };

/** Returns a problem's change as a JSON Patch of the request body; undefined if only the user can fix it. */
export function jsonPatchOf({ path, change }: Problem): PatchOperation[] | undefined {
  return change && [{ ...change, path: jsonPointerOf(path) }];
}

/** `publications[0].posts[1].content` as a JSON Pointer (RFC 6901): `/publications/0/posts/1/content`. */
function jsonPointerOf(path: string): string {
  return path.replace(/^(?=.)|\./g, "/").replace(/\[(\d+)\]/g, "/$1");
}
