import { errors } from "./errors";

const MAX_LENGTH = 500;
const MAX_LINKS = 5;
/** Examples; the real list is not public. */
const DENIED_TOPICS = ["notpermitted", "forbidden"];

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Text length as Threads counts it: emoji by UTF-8 bytes, everything else by code points. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const { segment } of segmenter.segment(text)) {
    const isEmoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{fe0f}|\u{20e3}/u.test(segment);
    length += isEmoji ? Buffer.byteLength(segment) : [...segment].length;
  }
  return length;
}

/** Checks length and number of links. Source: Threads, overview and publishing. */
export function assertText(text: string, linkAttachment: string | undefined): void {
  if (lengthOf(text) > MAX_LENGTH) throw errors.tooLong();
  const links = [...text.matchAll(/https?:\/\/[^\s<>"]+/gi)].map(([link]) => link.replace(/[.,;:!?)\]}]+$/, ""));
  if (linkAttachment) links.push(linkAttachment);
  if (new Set(links).size > MAX_LINKS) throw errors.tooManyLinks();
}

export function assertTopic(topic: string): void {
  if (topic.length < 1 || [...topic].length > 50)
    throw errors.parameter("Param topic_tag must have 1 to 50 characters.");
  if (/[.&]/.test(topic)) throw errors.parameter("Param topic_tag must not contain periods or ampersands.");
  if (DENIED_TOPICS.includes(topic.replace(/^#/, "").toLowerCase())) throw errors.topic();
}

/** Without an explicit topic, the first hashtag of the text becomes the topic and loses its `#`. */
export function withTopic(text: string, given: string | undefined): { text: string; topic?: string } {
  if (given !== undefined) return { text, topic: given };
  for (const match of text.matchAll(/(?<![\p{L}\p{N}_])#([^\s.&@!?,;:#]{1,50})/gu)) {
    const [tag, topic = ""] = match;
    if (/^\d+$/.test(topic)) continue;
    return { text: text.slice(0, match.index) + topic + text.slice(match.index + tag.length), topic };
  }
  return { text };
}
