/**
 * Characters of Unicode, and which of them code can tell apart. A regular expression compares characters only with its own
 * classes and literals, so a run of one character and a run of another take the same steps if all of these answer the same.
 */

const LAST = 0x10ffff;
const ASSIGNED = /^[^\p{Cn}\p{Cs}\p{Co}]$/u;
const MARKS = /^[\p{P}\p{M}\p{Emoji}]$/u;

/** All characters of Unicode, except those without a meaning: unassigned ones, private ones and halves of characters. */
export function allCharacters(): string[] {
  const found: string[] = [];
  for (let code = 0; code <= LAST; code++) {
    if (code === 0xd800) code = 0xe000;
    const character = String.fromCodePoint(code);
    if (ASSIGNED.test(character)) found.push(character);
  }
  return found;
}

/** Punctuation marks, combining marks and emoji. */
export const isMark = (character: string) => MARKS.test(character);

/** The compiler does not know this flag for our version of JavaScript; Node.js 20 does. */
const EMOJI_FLAG = "v";
const EMOJI = "^\\p{RGI_Emoji}$";
const VARIATION = "\ufe0f";
const JOINER = "\u200d";

/** All emoji that are sequences of characters: flags, keys, skin tones, families and others that are joined. */
export function emojiSequences(): string[] {
  const isEmoji = new RegExp(EMOJI, EMOJI_FLAG);
  const all = allCharacters().filter((one) => /^\p{Emoji}$/u.test(one) && !/^[0-9#*]$/.test(one));
  const tones = all.filter((one) => /^\p{Emoji_Modifier}$/u.test(one));
  const regional = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(0x1f1e6 + index));
  const shown = all.map((one) => (/^\p{Emoji_Presentation}$/u.test(one) ? one : one + VARIATION));
  const toned = all.filter((one) => /^\p{Emoji_Modifier_Base}$/u.test(one)).flatMap((one) => tones.map((t) => one + t));
  const people = [..."👨👩🧑"].flatMap((one) => [one, ...tones.map((tone) => one + tone)]);
  const joined = (...lists: string[][]): string[] =>
    lists.reduce((starts, next) => starts.flatMap((start) => next.map((one) => `${start}${JOINER}${one}`)));
  const children = [..."👦👧🧒"];
  const adults = [..."👨👩🧑"];
  const plain = joined(shown, shown).filter((one) => isEmoji.test(one));
  const seconds = [...new Set(plain.map((one) => one.slice(one.indexOf(JOINER) + 1)))];
  const pairs = [...plain, ...joined(toned, seconds).filter((one) => isEmoji.test(one))];
  const candidates = [
    ...regional.flatMap((first) => regional.map((second) => first + second)),
    ...[..."0123456789#*"].map((key) => `${key}${VARIATION}\u20e3`),
    ...shown,
    ...toned,
    ...pairs,
    ...joined(pairs, ["➡️", "↔️", "↕️"]),
    ...joined(people, ["❤️", "🤝", "🐰", "🫯"], people),
    ...joined(people, ["❤️"], ["💋"], people),
    ...[joined(adults, children), joined(adults, adults, children), joined(adults, children, children)].flat(),
    ...joined(adults, adults, children, children),
    ...["gbeng", "gbsct", "gbwls"].map((area) => `🏴${tagged(area)}\u{e007f}`),
  ];
  return [...new Set(candidates)].filter((one) => one.length > 1 && [...one].length > 1 && isEmoji.test(one));
}

const tagged = (area: string) => [...area].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join("");

/** What a regular expression compares characters with: its classes, escapes and literals, each as a pattern of its own. */
export function atomsOf({ source, flags, unicode, unicodeSets }: RegExp): RegExp[] {
  const isUnicode = unicode || unicodeSets;
  const kept = flags.replace(/[^iuvs]/g, "");
  const found = new Set<string>();
  const token =
    /\\p\{[^}]*\}|\\P\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\k<[^>]*>|\\[\s\S]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\{\d+(?:,\d*)?\}|[\s\S]/giu;
  for (let at = 0; at < source.length; ) {
    if (source[at] === "[") {
      const end = endOfClass(source, at);
      found.add(source.slice(at, end));
      at = end;
      continue;
    }
    token.lastIndex = at;
    const [text = ""] = token.exec(source) ?? [];
    at += text.length || 1;
    if (/^\\[bB]$/.test(text)) found.add("\\w");
    else if (/^[$^]$/.test(text)) found.add("[\\n\\r\\u2028\\u2029]");
    else if (!/^(\(|\)|\||[*+?]$|\{\d|\\k|\\[1-9])/.test(text)) {
      // Without the flag `u`, a character outside the first plane is two units.
      for (const unit of isUnicode || text.startsWith("\\") ? [text] : text.split("")) found.add(unit);
    }
  }
  return [...found].map((atom) => new RegExp(`^(?:${atom})$`, kept));
}

function endOfClass(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === "[") depth++;
    else if (source[at] === "]" && --depth === 0) return at + 1;
    if (depth > 1 && source[at] === "[") depth--; // only sets of the flag `v` are nested, and we use none
  }
  throw new Error(`a class of ${source} does not end`);
}

/** A class or an escape, and not one letter or digit, which only a word of a pattern contains. */
export const isClass = (atom: RegExp) => !/^\^\(\?:[a-z0-9]\)\$$/i.test(atom.source);

/** Returns one of each kind of text that the atoms of patterns can tell apart. */
export function distinguished(texts: Iterable<string>, atoms: RegExp[], traits = noTraits): string[] {
  const unique = [...new Map(atoms.map((atom) => [String(atom), atom])).values()];
  const points = unique.filter(({ unicode, unicodeSets }) => unicode || unicodeSets);
  const units = unique.filter((atom) => !points.includes(atom));
  const kinds = new Map<string, string>();
  for (const text of texts) {
    const answers = [answersOf([...text], points), answersOf(text.split(""), units), traits(text)].join("|");
    if (!kinds.has(answers)) kinds.set(answers, text);
  }
  return [...kinds.values()];
}

const noTraits = (_: string) => "";

const answersOf = (characters: string[], atoms: RegExp[]) =>
  characters.map((one) => atoms.map((atom) => (atom.test(one) ? "1" : "0")).join("")).join(" ");

const segmenter = new Intl.Segmenter("en");
const NEIGHBORS = [
  "a",
  "\u0301",
  "\u200d",
  "\u{1f600}",
  "\u1100",
  "\u1161",
  "\u11a8",
  "\u{1f1e9}",
  "\u0600",
  "\u0915\u094d",
];

/** What else code can tell apart: categories, case, normalization, the bytes of UTF-8, and how characters join. */
export function traitsOf(text: string): string {
  const forms = (["NFC", "NFD", "NFKC", "NFKD"] as const).map((form) => text.normalize(form) === text);
  const isCased = [text.toLowerCase() === text, text.toUpperCase() === text];
  const segments = (joined: string) => [...segmenter.segment(joined)].length;
  const joins = NEIGHBORS.flatMap((one) => [segments(one + text), segments(text + one)]);
  const doubled = segments(text + text);
  const category = CATEGORIES.findIndex((one) => one.test(text));
  return [text.length, Buffer.byteLength(text), ...forms, ...isCased, ...joins, doubled, category].join();
}

const CATEGORIES = ["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No"].map(
  (name) => new RegExp(`^\\p{${name}}`, "u"),
);
