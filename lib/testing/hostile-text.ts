const LONG = 100_000;
const SHORT = 20_000;

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
/** One character of each kind that patterns distinguish: line ends, marks, wide and joined letters, quotes, emoji. */
const characters = [
  ...[..."\n\t\rßяあ漢ا한क\u0301\u0903\u200d\ufe0f\u20e3\u00ad\u2060\u3000\u00a0\u202a\u2028\ufefffiKİ’”…。＃＠＝«–‐"],
  ...["😀", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "❤️"],
];
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
 * @param longest characters of the runs of one character; the others have at most 20,000
 */
export function* hostileTexts(longest: number): Generator<{ name: string; text: string }> {
  for (const unit of [...ascii, ...characters]) yield { name: JSON.stringify(unit), text: run(unit, longest) };
  for (const unit of sequences) yield { name: JSON.stringify(unit), text: run(unit, SHORT) };
  for (const frame of frames) {
    for (const unit of framed) {
      const name = `${JSON.stringify(unit)} after ${JSON.stringify(frame)}`;
      yield { name, text: `${frame}${run(unit, SHORT)}\u0001x` };
    }
  }
}

function run(unit: string, length: number): string {
  return unit.repeat(length / unit.length);
}

/** How many plain scans of the longest text a call may take. A call that takes quadratic time takes several thousand. */
const MOST = 1500;

/**
 * Runs functions on hostile texts. Returns a message for each call that takes much longer than a plain scan.
 * @param options `every`: 1 for all texts, 5 for each fifth, for functions that take long on any text. `longest`: characters of
 * the longest texts, at least 20,000
 */
export async function slowCalls(
  functions: { [name: string]: (text: string) => unknown },
  { every = 1, longest = LONG }: { every?: number; longest?: number } = {},
): Promise<string[]> {
  const slow = new Map<string, string>();
  const plain = "a-".repeat(LONG / 2);
  let scan = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 20; tries++) scan = Math.min(scan, await costOf(() => scanned(plain)));
  scan = Math.max(0.1, scan);
  for (const [index, { name: shown, text }] of [...hostileTexts(longest)].entries()) {
    if (index % every !== 0) continue;
    for (const [name, work] of Object.entries(functions)) {
      if (slow.has(name)) continue;
      let cost = await costOf(() => work(text));
      // Measured again before it counts as slow, because other programs may have used the processor's caches.
      for (let tries = 0; cost > MOST * scan && tries < 2; tries++)
        cost = Math.min(cost, await costOf(() => work(text)));
      const scans = Math.round(cost / scan);
      if (scans > MOST) slow.set(name, `${name}: ${scans} scans for ${text.length} characters, ${shown}`);
    }
  }
  return [...slow.values()];
}

function scanned(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index);
  return sum;
}

/** Returns the processor time of a call in milliseconds. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  const result = work();
  if (result instanceof Promise) await result;
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
