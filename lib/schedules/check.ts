import type { Account } from "../accounts";
import { isVideo, type Media } from "../media";
import { type Destination, type FormatName, formatsOf, type Network, networkOf } from "../networks";
import { limitProblems } from "./limits";
import type { NewSchedule } from "./new-schedule";

/** What the checks need to know; all of it read beforehand, so that they are pure. */
export type Facts = {
  accounts: Map<number, Account>;
  media: Map<string, Media>;
  /** Known destinations by account; absent where only the network can list them. */
  destinations: Map<number, Destination[]>;
};

type NewPublication = NewSchedule["publications"][number];
type NewPost = NewPublication["posts"][number];

/** A publication ready to be stored: settings with their defaults, the destination chosen. */
export type Publishable = {
  account: Account;
  settings: { type: string; [name: string]: unknown };
  posts: { content: string; attachmentPaths: string[]; chatId?: string; thumbnailPath?: string }[];
};

/**
 * Every problem of every publication at once, each beginning with the field's path; and what is to be stored when there
 * are none. Drafts are checked for their references only.
 */
export function check(input: NewSchedule, facts: Facts): { problems: string[]; publishable: Publishable[] } {
  const problems: string[] = [];
  const publishable = input.publications.flatMap((publication, index) => {
    const found = checkPublication(publication, `publications[${index}]`, input.isDraft, facts, problems);
    return found ? [found] : [];
  });
  return { problems, publishable };
}

function checkPublication(
  publication: NewPublication,
  path: string,
  isDraft: boolean,
  facts: Facts,
  problems: string[],
) {
  const account = facts.accounts.get(publication.socialMediaAccountId);
  if (!account) {
    problems.push(
      `${path}.socialMediaAccountId is not one of this user's accounts: ${publication.socialMediaAccountId}`,
    );
  }
  const network = account && networkOf(account.platform);
  if (account && !network)
    problems.push(`${path}.socialMediaAccountId: publishing to ${account.platform} is not available yet`);
  const settings =
    network && checkSettings(network, publication.platformSettings, `${path}.platformSettings`, problems);
  const most = network?.posts?.max ?? 1;
  if (network && publication.posts.length > most && !isDraft) {
    problems.push(
      `${path}.posts: ${network.name} takes ${most === 1 ? "one post" : `at most ${most} posts`} a publication`,
    );
  }
  const posts = publication.posts.map((post, index) => {
    const at = `${path}.posts[${index}]`;
    const media = checkAttachments(post, at, facts, problems);
    if (network && settings && !isDraft) problems.push(...formatProblems(network, settings, post, media, at));
    const chatId = network ? chooseDestination(network, account, post, at, isDraft, facts, problems) : undefined;
    return {
      content: post.content,
      attachmentPaths: post.attachmentPaths,
      chatId,
      thumbnailPath: post.thumbnailPath ?? undefined,
    };
  });
  return account && settings ? { account, settings, posts } : undefined;
}

function checkSettings(network: Network, given: NewPublication["platformSettings"], path: string, problems: string[]) {
  const { type, ...rest } = given;
  if (!network.settingsTypes.includes(type)) {
    const [first, ...others] = network.settingsTypes;
    problems.push(
      `${path}.type must be ${[first, ...others].join(" or ")} for this ${network.name} account, not ${type}`,
    );
    return undefined;
  }
  const parsed = network.settings.safeParse(rest);
  if (parsed.success) return { type: network.settingsTypes[0], ...(parsed.data as { [name: string]: unknown }) };
  for (const issue of parsed.error.issues) {
    if (issue.code === "unrecognized_keys") {
      problems.push(...issue.keys.map((key) => `${path}.${key} is not a setting of ${network.name}`));
    } else if (issue.code === "invalid_value") {
      problems.push(
        `${path}.${issue.path.join(".")} must be ${issue.values.join(", ").replace(/, ([^,]*)$/, " or $1")}`,
      );
    } else {
      problems.push(
        `${path}.${issue.path.join(".")} ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`,
      );
    }
  }
  return undefined;
}

function checkAttachments(post: NewPost, path: string, facts: Facts, problems: string[]): Media[] {
  const media = post.attachmentPaths.flatMap((key, index) => {
    const found = facts.media.get(key);
    if (!found) problems.push(`${path}.attachmentPaths[${index}] ${absent(key)}`);
    return found ? [found] : [];
  });
  if (post.thumbnailPath && !facts.media.has(post.thumbnailPath)) {
    problems.push(`${path}.thumbnailPath ${absent(post.thumbnailPath)}`);
  }
  return media.length === post.attachmentPaths.length ? media : [];
}

function absent(key: string): string {
  return /^https?:/i.test(key)
    ? `cannot be imported: public URLs are not taken yet, upload the file first: ${key}`
    : `is not a storage key of this user's media: ${key}`;
}

/** Text alone, one picture, one video, or several of them. */
export function formatNameOf(media: Pick<Media, "contentType">[]): FormatName {
  const [first] = media;
  if (!first) return "text";
  if (media.length > 1) return "carousel";
  return isVideo(first) ? "video" : "image";
}

const FORMAT_WORDS = {
  text: "posts without media",
  image: "an image",
  video: "a video",
  carousel: "several attachments",
};

function formatProblems(network: Network, settings: unknown, post: NewPost, media: Media[], path: string): string[] {
  if (media.length < post.attachmentPaths.length) return []; // said already: an attachment is absent
  const name = formatNameOf(media);
  const formats = formatsOf(network, settings);
  const format = formats[name];
  if (!format) {
    const field = name === "text" ? "attachmentPaths" : `attachmentPaths`;
    return [`${path}.${field}: ${network.name} does not take ${FORMAT_WORDS[name]} here`];
  }
  return limitProblems(network.name, format.limits, post.content, media, path);
}

function chooseDestination(
  network: Network,
  account: Account | undefined,
  post: NewPost,
  path: string,
  isDraft: boolean,
  facts: Facts,
  problems: string[],
): string | undefined {
  if (!network.destinations) return undefined; // ignored, not stored, not answered (SPEC, "Post")
  const known = account && facts.destinations.get(account.id);
  if (post.chatId) {
    if (known && !known.some(({ id }) => id === post.chatId)) {
      problems.push(`${path}.chatId is not a destination of this ${network.name} account: ${post.chatId}`);
    }
    return post.chatId;
  }
  const [only, ...others] = known ?? [];
  if (only && others.length === 0 && !network.destinations.required) return only.id;
  if (!isDraft) {
    const why = known?.length === 0 ? "the account has no destination yet" : "the account has several destinations";
    problems.push(
      `${path}.chatId cannot be null: ${network.destinations.required ? `${network.name} needs one` : why}`,
    );
  }
  return undefined;
}
