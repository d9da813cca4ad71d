import { matcherOf, type TextFunctions } from "./text-functions";
import { atomsOf, distinguished, isClass, traitsOf } from "./unicode";

const SHORT = 20_000;

/** The characters of ASCII that a caller can type. */
const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
/** One character of each kind that patterns distinguish: line ends, marks, wide and joined letters, quotes, emoji. */
const others = [
  ...[..."\n\t\rßяあ漢ا한क\u0301\u0903\u200d\ufe0f\u20e3\u00ad\u2060\u3000\u00a0\u202a\u2028\ufefffiKİ’”…。＃＠＝«–‐"],
  ...["😀", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "❤️"],
];
const characters = [...ascii, ...others];
/** Sequences that begin what a pattern looks for, again and again. */
const sequences = [
  ...[
    "www.",
    "http://",
    "https://a.",
    "a.",
    ".a",
    "a-",
    "@a",
    "@a.",
    "a@",
    "#a",
    "#a ",
    "$a ",
    "a.co ",
    "aa.aa ",
    "😀.",
  ],
  ...[
    "((",
    "()",
    ") ",
    ". ",
    " x",
    "a b",
    "a\n",
    "\r\n",
    "a,",
    ",,",
    '""',
    '","',
    "a;",
    "; ",
    "=a",
    '="',
    "='",
    "\\\\",
  ],
  ...[
    "<meta ",
    "<title",
    "<title>",
    "<a",
    "</",
    "<b>",
    "&#",
    "&a",
    "@[a",
    "@[a](",
    "](urn:li:person:",
    "1:",
    "a:",
    "/(",
    "(/",
  ],
  ...[
    "a\u0301",
    "\u0301\u0316",
    "%2",
    "%41",
    "..",
    "./",
    "//",
    "--",
    "[0]",
    "[",
    "{a",
    "{}",
    "w/",
    'w/"a',
    "whsec_",
    "v1,a",
    "bearer ",
    "eyJa",
  ],
];
/** Starts that lead a pattern into a repetition, with what keeps it from matching at the end. */
const frames = [
  ...[
    "www.",
    "http://",
    "http://a.com/",
    "#",
    "@",
    '"',
    "'",
    "a",
    "1",
    " ",
    "<title>",
    "<meta name=",
    "@[",
    "${",
    "W/",
  ],
  ...[
    "charset=",
    'charset="',
    'boundary="',
    "multipart/form-data;",
    "filename*=utf-8'",
    "br",
    "Bearer ",
    "/start ",
    ";name=",
  ],
];
const framed = [...".,)\"' a-/<;\\"];

/**
 * Texts on which a pattern that backtracks takes quadratic time: long runs of one character or sequence.
 * @param longest characters of the runs of one character
 * @param longestOthers characters of all other runs
 * @param units what the runs of one character repeat
 */
export function* hostileTexts(
  longest: number,
  longestOthers = Math.min(longest, SHORT),
  units = characters,
): Generator<Named> {
  for (const unit of units) yield { name: JSON.stringify(unit), text: run(unit, longest), unit };
  for (const unit of sequences) yield { name: JSON.stringify(unit), text: run(unit, longestOthers) };
  for (const frame of frames) {
    for (const unit of framed) {
      const name = `${JSON.stringify(unit)} after ${JSON.stringify(frame)}`;
      yield { name, text: `${frame}${run(unit, longestOthers)}${NO_END}` };
    }
  }
  for (const frame of ["a", "http://a"]) {
    yield { name: `two blocks of marks after "${frame}"`, text: `${frame}${twoBlocks(longestOthers)}` };
    yield { name: `different letters after "${frame}"`, text: `${frame}${differentLetters(longestOthers)}` };
  }
  yield { name: "different names", text: differentNames(longestOthers) };
}

/** Marks in the wrong order: normalization moves each mark of the second block before the first block. */
const twoBlocks = (length: number) => run("\u0301", length / 2) + run("\u0316", length / 2);

/** Chinese letters, no two of which are the same within 20,000: writing a host in ASCII compares each with all others. */
const differentLetters = (length: number) =>
  Array.from({ length }, (_, index) => String.fromCharCode(0x4e00 + (index % 20_000))).join("");

/** As many parameters with different names as an address of this length has room for. */
const differentNames = (length: number) =>
  Array.from({ length: length / 4 }, (_, index) => index.toString(36).padStart(3, "0")).join("&");

/** Keeps a pattern that looks for a run at the end of a text from finding one. */
const NO_END = "\u0001x";

function run(unit: string, length: number): string {
  return unit.repeat(length / unit.length);
}

/** The longest text that a caller may send. */
const LONGEST = 100_000;

/** Long runs of every character, each with an end that keeps a pattern from matching there, and the marks in the wrong order. */
function longestTexts(units: string[]): Named[] {
  return [
    ...runsOf(units),
    { name: "two blocks of marks", text: `a${twoBlocks(LONGEST)}` },
    { name: "nested tags", text: run("<b>", LONGEST) },
    { name: "different names", text: differentNames(LONGEST) },
  ];
}

/** Characters of the longer of two texts. Quadratic time takes at least 8 million steps here, which is about 10 ms. */
const LENGTH = 4_000;
const TIMES = 4;
/** A call may cost so many times as much as calls with the same text in pieces: half of what quadratic time costs. */
const MOST_GROWTH = TIMES ** 0.5;
/** How many plain scans of its text a call may take, however its cost grows. 100,000 characters then take about 100 ms. */
const MOST_SCANS = 1_000;
/** Calls that take less are not compared, because their cost is mostly that of measuring it. */
const LEAST_MS = 2;
/** A call is measured so often before it counts as slow: the first calls run before the code is compiled. */
const TRIES = 20;
/** A call with a long text takes long enough to be measured with few tries. */
const FEW_TRIES = 3;

type Limits = {
  /** The limit on the cost of a call, in plain scans of its text. */
  mostScans?: number;
  /** What the runs of one character repeat, and whether a function is run on it. */
  units?: string[];
  isRunOn?: (name: string, unit: string) => boolean;
};

/**
 * Runs functions on hostile texts of two lengths, one four times the other, and on runs of 100,000 characters. Returns a
 * message for each function whose cost grows faster than its text, or is much higher than that of a plain scan.
 */
export async function slowCalls(functions: TextFunctions, limits: Limits = {}): Promise<string[]> {
  const grown = await growingCalls(functions, limits);
  return [...grown, ...(await slowOn(longestTexts(limits.units ?? characters), functions, limits))];
}

/** One of each of the characters that these patterns can tell apart, apart from the letters of their words. */
export function unitsFor(patterns: RegExp[]): string[] {
  return distinguished(characters, patterns.flatMap(atomsOf).filter(isClass));
}

/** One of each of the characters that differ in what Unicode says about them. */
export const unitsOfUnicode = (): string[] => distinguished(characters, [], traitsOf);

/** Like `slowCalls`, for regular expressions. Each is run on one of each of the characters that it can tell apart. */
export async function slowPatterns(patterns: { name: string; pattern: RegExp }[]): Promise<string[]> {
  const unitsOf = new Map(patterns.map(({ name, pattern }) => [name, distinguished(characters, atomsOf(pattern))]));
  const matchers = Object.fromEntries(patterns.map(({ name, pattern }) => [name, matcherOf(pattern)]));
  return slowCalls(matchers, { isRunOn: (name, unit) => unitsOf.get(name)?.includes(unit) ?? true });
}

/** Every other hostile text with 100,000 characters: sequences, and runs after a start that leads a pattern into them. */
export async function slowOnLongSequences(functions: TextFunctions, mostScans?: number): Promise<string[]> {
  return slowOn(textsOf(LONGEST, []), functions, { mostScans });
}

/** Runs of 100,000 characters of each unit, alone and with an end that keeps a pattern from matching there. */
export async function slowOnRuns(units: Iterable<string>, functions: TextFunctions, mostScans?: number) {
  return slowOn(runsOf(units), functions, { mostScans });
}

function* runsOf(units: Iterable<string>): Generator<Named> {
  for (const unit of units) yield { name: JSON.stringify(unit), text: run(unit, LONGEST) + NO_END, unit };
}

/** `unit`: what the text repeats, if it is a run of one character. */
type Named = { name: string; text: string; unit?: string };

async function growingCalls(
  functions: TextFunctions,
  { mostScans = MOST_SCANS, units = characters, isRunOn = everywhere }: Limits,
): Promise<string[]> {
  const slow = new Map<string, string>();
  const short = textsOf(LENGTH / TIMES, units);
  await repeated(TRIES, scanCost); // the first scans run before the code is compiled
  for (const [index, { name: shown, text, unit }] of textsOf(LENGTH, units).entries()) {
    for (const [name, work] of Object.entries(functions)) {
      if (slow.has(name) || (unit !== undefined && !isRunOn(name, unit))) continue;
      if ((await elapsed(() => work(text))) < LEAST_MS) continue;
      const excess = await excessOf(work, text, short[index]?.text ?? "", mostScans);
      if (excess) slow.set(name, `${name}: ${excess} for ${text.length} characters, ${shown}`);
    }
  }
  return [...slow.values()];
}

const everywhere = () => true;

async function slowOn(
  texts: Iterable<Named>,
  functions: TextFunctions,
  { mostScans = MOST_SCANS, isRunOn = everywhere }: Limits,
): Promise<string[]> {
  const slow = new Map<string, string>();
  const scanMs = await scanCost();
  for (const { name: shown, text, unit } of texts) {
    const most = mostScans * (text.length / LENGTH);
    const mostMs = most * scanMs;
    for (const [name, work] of Object.entries(functions)) {
      if (slow.has(name) || (unit !== undefined && !isRunOn(name, unit))) continue;
      if ((await elapsed(() => work(text))) <= mostMs) continue;
      const scans = await leastScans(() => work(text));
      if (scans > most) {
        slow.set(name, `${name}: ${scans.toFixed()} of ${most} scans for ${text.length} characters, ${shown}`);
      }
    }
  }
  return [...slow.values()];
}

/**
 * Compares one call with the long text, as many calls with the short text as make up the same length, and scans, all of which
 * take about equally long if the call is fast. They alternate, so that other programs slow all of them down alike: a call
 * takes twice as long while another program uses the same core. Returns undefined as soon as the call is known to be fast.
 */
async function excessOf(
  work: (text: string) => unknown,
  long: string,
  short: string,
  mostScans: number,
): Promise<string | undefined> {
  let [cost, shortCost, scans] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < TRIES; tries++) {
    const scan = await scanCost();
    const tried = await costOf(() => work(long));
    cost = Math.min(cost, tried);
    scans = Math.min(scans, tried / scan);
    shortCost = Math.min(shortCost, await costOf(() => repeated(TIMES, () => work(short))));
    if (cost < LEAST_MS || (cost <= MOST_GROWTH * shortCost && scans <= mostScans)) return undefined;
  }
  const growth = (TIMES * cost) / shortCost;
  return `${growth.toFixed(1)} times the cost for ${TIMES} times the text, and ${scans.toFixed()} of ${mostScans} scans`;
}

async function repeated(times: number, work: () => unknown): Promise<void> {
  for (let count = 0; count < times; count++) {
    const result = work();
    if (result instanceof Promise) await result;
  }
}

/** Every hostile text of this length, and each run also with something after it. */
function textsOf(length: number, units: string[]): Named[] {
  return [...hostileTexts(length, length, units)].flatMap(({ name, text, unit }) =>
    text.endsWith(NO_END)
      ? [{ name, text }]
      : [
          { name, text, unit },
          { name: `${name} and an end`, text: `${text}${NO_END}`, unit },
        ],
  );
}

function scanned(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index);
  return sum;
}

/** Returns the processor time of one scan of a text of 4,000 characters in milliseconds. */
async function scanCost(): Promise<number> {
  const cost = await costOf(() => {
    for (let count = 0; count < SCANS; count++) scanned(SCANNED);
  });
  return cost / SCANS;
}

const SCANNED = "a-".repeat(LENGTH / 2);
/** So many scans take long enough to be measured. */
const SCANS = 200;

/** Returns the elapsed time of a call in milliseconds, which is never less than its processor time. */
async function elapsed(work: () => unknown): Promise<number> {
  const before = performance.now();
  const result = work();
  if (result instanceof Promise) await result;
  return performance.now() - before;
}

/** Returns the smallest processor time of several calls, in scans of 4,000 characters. */
async function leastScans(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < FEW_TRIES; count++) {
    const scan = await scanCost();
    least = Math.min(least, (await costOf(work)) / scan);
  }
  return least;
}

/** Returns the processor time of a call in milliseconds. It does not count other programs of a busy machine. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  const result = work();
  if (result instanceof Promise) await result;
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
