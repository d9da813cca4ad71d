import { formatOf, formatsFor } from "../../networks/formats";
import { nearestRatio } from "../crop/box";
import { type Draft, withOwnText, withSetting } from "../draft/draft";
import type { PatchOperation } from "../draft/queries";
import { partsWith, withoutPart, withPartSplit } from "../parts/parts";
import { splitText } from "../parts/split-text";
import { fieldValue, fits, readableName, type Target } from "../targets/targets";
import type { Upload } from "../uploads/use-uploads";
import { composeCheckWords } from "./words";

/**
 * The action of a button next to a problem: it changes the draft, crops a picture to a ratio, or moves the focus to a field that
 * needs a person.
 */
export type ProblemFix = { label: string } & (
  | { change: (draft: Draft) => Draft }
  | { crop: Upload; ratio: number }
  | { goTo: string }
);

/** The account, post and field of a problem. */
export type ProblemPlace = { target: Target; post: number; field: string; file?: number };

/** The IDs of the fields that buttons lead to. */
export const ACCOUNTS_ID = "post-to";
export const FILES_ID = "add-files";
export const fieldId = (key: string, setting: string) => `set-${key}-${setting}`;
export const partFieldId = (key: string | undefined, partId: string) => `text-${key ?? "all"}-${partId}`;

/**
 * Applies a JSON Patch of the request to the draft; undefined if the draft cannot express the change. A change for
 * one account affects only that account.
 */
export function applyPatch(draft: Draft, target: Target, operation: PatchOperation): Draft | undefined {
  const [, , , part, name, field] = operation.path.split("/");
  const { key } = target;
  const value = operation.op === "remove" ? undefined : operation.value;
  if (part === "platformSettings" && name) {
    const setting = fieldValue(
      value,
      target.network.settings.find((one) => one.name === name),
    );
    return withSetting(draft, key, name, setting);
  }
  if (part !== "posts") return undefined;
  const index = Number(name);
  if (field === "content" && typeof value === "string") return withTexts(draft, target, index, [value]);
  if (field === "chatId" && typeof value === "string") return { ...draft, chats: { ...draft.chats, [key]: value } };
  if (field === "attachmentPaths" && Array.isArray(value)) {
    const paths = target.posts[index]?.files.flatMap(({ path }) => path ?? []) ?? [];
    return withoutFiles(
      draft,
      key,
      paths.filter((path) => !value.includes(path)),
    );
  }
  return undefined;
}

/**
 * Replaces one post's text by one or several texts for this account. If it is the only account, the common text
 * changes.
 */
export function withTexts(draft: Draft, target: Target, index: number, texts: string[]): Draft {
  const { key, isOwnText, isJoined, posts } = target;
  if (!isOwnText && !isJoined && draft.accountIds.length === 1) {
    return { ...draft, parts: withPartSplit(draft.parts, index, texts) };
  }
  const now = isJoined ? partsWith(posts.map(({ text }) => text)) : (draft.own[key] ?? draft.parts);
  return withOwnText(draft, [key], withPartSplit(now, index, texts));
}

/** Leaves files out for one account. */
export function withoutFiles(draft: Draft, key: string, paths: string[]): Draft {
  const without = [...new Set([...(draft.without[key] ?? []), ...paths])];
  return { ...draft, without: { ...draft.without, [key]: without } };
}

export function withoutAccount(draft: Draft, accountId: number): Draft {
  return { ...draft, accountIds: draft.accountIds.filter((id) => id !== String(accountId)) };
}

/** Removes a post of a thread, for this account or for all accounts that share the text. */
function withoutPost(draft: Draft, { key, isOwnText }: Target, index: number): Draft {
  const parts = isOwnText ? (draft.own[key] ?? []) : draft.parts;
  const id = parts[index]?.id;
  if (!id) return draft;
  const left = withoutPart(parts, id).parts;
  return isOwnText ? withOwnText(draft, [key], left) : { ...draft, parts: left };
}

/** Fixes for a text that is too long. */
export function splitFixes({ target, post }: ProblemPlace): ProblemFix[] {
  const { network, posts } = target;
  const limit = posts[post]?.limits?.text;
  const text = posts[post]?.text ?? "";
  if (!network.posts || !limit || limit.markup) return [];
  const pieces = splitText(text, (piece) => fits(limit, piece));
  if (posts.length - 1 + pieces.length > network.posts.max || pieces.some((piece) => !fits(limit, piece))) return [];
  const label = network.posts.isThread
    ? composeCheckWords.splitIntoThread(posts.length - 1 + pieces.length)
    : composeCheckWords.splitIntoMessages;
  return [{ label, change: (draft) => withTexts(draft, target, post, pieces) }];
}

/** Fixes for files that a network does not accept together, or not of this kind. */
export function otherFormatFixes({ target, post }: ProblemPlace): ProblemFix[] {
  const { network, settings, posts, key } = target;
  const files = posts[post]?.files ?? [];
  const formats = formatsFor(network, settings);
  const fixes: ProblemFix[] = otherVariantFixes(target, files);
  const without = (paths: (string | undefined)[]) => (draft: Draft) =>
    withoutFiles(
      draft,
      key,
      paths.flatMap((path) => path ?? []),
    );
  if (files.length > 1 && files[0] && formats[files[0].kind]) {
    const rest = files.slice(1).map(({ path }) => path);
    fixes.push({ label: composeCheckWords.sendFirstFile, change: without(rest) });
  }
  if (files.length > 0 && formats.text) {
    fixes.push({ label: composeCheckWords.sendTextAlone, change: without(files.map(({ path }) => path)) });
  }
  if (files.length === 0) {
    const picture = formats.video ? composeCheckWords.addPictureOrVideo : composeCheckWords.addPicture;
    fixes.push({ label: formats.image ? picture : composeCheckWords.addVideo, goTo: FILES_ID });
  }
  return fixes;
}

/** Fixes that publish the same files as another type of this network: a reel as a post, a picture as a story. */
function otherVariantFixes({ network, settings, key }: Target, files: Target["posts"][number]["files"]): ProblemFix[] {
  const { variants } = network;
  if (!variants || files.length === 0) return [];
  return Object.entries(variants.formats).flatMap(([value, formats]) =>
    value === settings[variants.setting] || !formats[formatOf(files)]
      ? []
      : [
          {
            label: composeCheckWords.publishAs(readableName(value).toLowerCase()),
            change: (draft: Draft) => withSetting(draft, key, variants.setting, value),
          },
        ],
  );
}

/** Fixes that leave out the pictures or the videos. */
export function oneKindFixes({ target, post }: ProblemPlace): ProblemFix[] {
  const files = target.posts[post]?.files ?? [];
  return (["video", "image"] as const).map((kind) => ({
    label: kind === "video" ? composeCheckWords.leaveVideosOut : composeCheckWords.leavePicturesOut,
    change: (draft: Draft) =>
      withoutFiles(
        draft,
        target.key,
        files.flatMap((file) => (file.kind === kind && file.path ? [file.path] : [])),
      ),
  }));
}

/** Fixes that crop a picture to the nearest ratio that the network accepts. @param measured its width to its height */
export function cropFixes({ target, post, file = 0 }: ProblemPlace, measured: number): ProblemFix[] {
  const crop = target.posts[post]?.files[file];
  const bounds = target.posts[post]?.limits?.image?.ratio;
  if (!bounds || crop?.kind !== "image" || !crop.path) return [];
  const ratio = nearestRatio(measured, { min: bounds.certainMin ?? bounds.min, max: bounds.max });
  return ratio ? [{ label: composeCheckWords.cropTo(ratio.name), crop, ratio: ratio.value }] : [];
}

export function leaveFileOutFixes({ target, post, file }: ProblemPlace): ProblemFix[] {
  const found = file === undefined ? undefined : target.posts[post]?.files[file];
  const path = found?.path;
  return path
    ? [
        {
          label: composeCheckWords.leaveFileOut(found.name),
          change: (draft) => withoutFiles(draft, target.key, [path]),
        },
      ]
    : [];
}

export function removePartFixes({ target, post }: ProblemPlace): ProblemFix[] {
  const isOne = target.posts.length > 1 && target.posts[post]?.files.length === 0;
  return isOne
    ? [{ label: composeCheckWords.removePart(post + 1), change: (draft) => withoutPost(draft, target, post) }]
    : [];
}
