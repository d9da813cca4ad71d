/** Names in the order of preference: Edge and Opera also call themselves Chrome, and Chrome also calls itself Safari. */
const BROWSERS: [mark: string, name: string][] = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
];
const SYSTEMS: [mark: string, name: string][] = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
];

/** Returns a `User-Agent` header as people say it, such as `Firefox · Linux`. Undefined if it names no known browser. */
export function browserName(userAgent = ""): string | undefined {
  const nameIn = (known: [string, string][]) => known.find(([mark]) => userAgent.includes(mark))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  return browser && system ? `${browser} · ${system}` : (browser ?? system);
}
