import { hostileTexts } from "../../../lib/testing/hostile-text";
import type { Size } from "../../trials/trial";

const LONGEST = 100_000;
/** Long enough that a pattern that takes quadratic time is noticed: 5,000 characters take 12 million steps. */
const PART = 5_000;

/**
 * Texts of up to 100,000 characters. The long form has a text for each run; the short form joins twenty shorter runs in each
 * text, so that every run is still sent.
 */
export function textsOf(size: Size): string[] {
  const runs = [...hostileTexts(size === "whole" ? LONGEST : PART)].map(({ text }) => text);
  if (size === "whole") return runs;
  const perText = LONGEST / PART;
  const texts: string[] = [];
  for (let at = 0; at < runs.length; at += perText) {
    const parts = runs.slice(at, at + perText).map((run) => run.slice(0, PART - 3).toWellFormed());
    texts.push(parts.map((part) => `${part}\u0001x `).join(""));
  }
  return texts;
}

const MB = 1_048_576;
/** Repeats a text up to a size in bytes. */
const fill = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
const bounded = (start: string, unit: string, end: string, bytes: number) =>
  start + fill(unit, bytes - Buffer.byteLength(start + end)) + end;
const unknownFields = (bytes: number) => {
  const count = Math.floor(bytes / 14);
  return `{${Array.from({ length: count }, (_, n) => `"${String(n).padStart(8, "u")}":0`).join(",")}}`;
};

/** JSON bodies as large as the API takes them (1 MB), and larger ones. */
export const jsonBodies: string[] = [
  unknownFields(MB),
  `{"publications":[${unknownFields(MB - 100)}]}`,
  bounded('{"publications":[', "{},", "{}]}", MB),
  bounded('{"publications":[{"posts":[', "{},", "{}]}]}", MB),
  bounded('{"ids":[', "1,", "1]}", MB),
  bounded('{"events":["', 'a","', 'a"]}', MB),
  bounded('{"slots":[', '{"weekday":"X"},', "{}]}", MB),
  bounded("[", "null,", "null]", MB),
  bounded("", '{"a":', "", MB),
  bounded("", "[", "", MB),
  bounded("", "[", "]".repeat(MB / 2), MB),
  bounded('"', "\\u0301", '"', MB),
  bounded('{"', "\\\\", '":0}', MB),
  bounded('{"content":"', "\\ud83d\\ude00", '"}', MB),
  bounded("", "9", "", MB),
  bounded("", " ", "", MB),
  bounded("", ",", "", MB),
  bounded("", '"', "", MB),
  bounded("", "a\n", "", 2 * MB),
];

const toolCall = (name: string, given: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;
const proposal = (fields: string) => toolCall("propose_post", `{"publications":[{${fields}}]}`);
/** Calls of agents that get past the limits of all JSON: 32 levels and 30,000 values. The first one is a batch. */
export const mcpBodies: string[] = [
  `[${Array.from({ length: 100 }, () => toolCall("read_rules", '{"platform":"X_TWITTER"}')).join(",")}]`,
  toolCall("validate_post", unknownFields(MB / 3)),
  toolCall("propose_post", `{"publications":[${"{},".repeat(29_000)}{}]}`),
  proposal(`"posts":[${"{},".repeat(29_000)}{}]`),
  proposal(`"posts":[{"attachmentPaths":[${"0,".repeat(29_000)}0]}]`),
  proposal(`"platformSettings":{"type":"TWITTER",${'"a":{'.repeat(24)}${"}".repeat(24)}}`),
  proposal(`"platformSettings":${unknownFields(MB / 3)}`),
  `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${unknownFields(MB / 3)}}`,
];

/** Tables as large as the import takes them (2 MB). */
export const csvBodies: string[] = [
  ...["a\n", ",", ";", "\t", '"', '""', '","', "\n", "\r", '"\n"', ",\n", "a,a\n", "'", "=a,", "\u0301", "😀,"].map(
    (unit) => fill(unit, 2 * MB),
  ),
  bounded("text\n", "a\n", "", 2 * MB),
  bounded("scheduledTime,accounts,text\n", ",,a\n", "", 2 * MB),
  bounded("scheduledTime,accounts,text\n", ',"1,', '"\n', 2 * MB),
  bounded("scheduledTime,accounts,text\n,", "1;", ",a\n", 2 * MB),
  bounded("scheduledTime,accounts,text\n,,", "#a ", "\n", 2 * MB),
  bounded("text,", "text,", "\n", 2 * MB),
  bounded("scheduledTime,accounts,text,", "media;", "\n", 2 * MB),
];

const KB64 = 65_536;

/** Form bodies as large as our pages and the networks' callbacks take them (64 KB), and larger ones. */
export const formBodies: string[] = [
  ...["&", "=", "a=1&", "%41", "%", "+", "a&", "%f0%9f%98%80", "=&"].map((unit) => fill(unit, KB64)),
  bounded("a=", "a", "", 2 * MB),
  bounded("", "a=1&", "", MB),
];

/** Multipart bodies with endless headers, parameters, boundaries and parts; their boundary is `right`. */
export const multipartBodies: string[] = [
  bounded("--right\r\n", "a: b\r\n", "\r\n\r\n--right--\r\n", MB),
  bounded('--right\r\nContent-Disposition: form-data; name="file"', ";a=b", "\r\n\r\nx\r\n--right--\r\n", MB),
  bounded('--right\r\nContent-Disposition: form-data; name="file"; filename="', "\\\\", '"\r\n\r\nx\r\n--right--', MB),
  bounded("", "--right\r\n", "", MB),
  bounded("", "\r\n--right", "", MB),
  bounded("", '--right\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n', "--right--\r\n", MB),
  bounded('--right\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n', "\r\n-", "\r\n--right--", MB),
];
