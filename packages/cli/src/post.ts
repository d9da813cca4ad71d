import * as fs from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { type Carillon, CarillonError, type Schemas } from "../../sdk/src";
import { findTargets, platformOf, type Target } from "./accounts";
import { type Command, Failure, type Input, plain, spoken, UsageError } from "./command";

type Body = Schemas["NewSchedule"];
type Schedule = Schemas["Schedule"];

const postOptions: Command["options"] = {
  account: {
    ...{ type: "string", multiple: true, value: "ACCOUNT" },
    about: "x:alice, @alice or an ID; facebook:alice/1234 names a Page. Can be repeated",
  },
  file: {
    type: "string",
    multiple: true,
    value: "PATH",
    about: "a picture, video or PDF, or a public URL. Can be repeated",
  },
  "text-file": { type: "string", value: "PATH", about: "the file with the text; - reads standard input" },
  at: { type: "string", value: "TIME", about: "when to publish, such as 2031-05-01T09:00:00+02:00 (default: now)" },
  draft: { type: "boolean", about: "creates a draft, which is not published" },
  settings: {
    ...{ type: "string", value: "JSON" },
    about: 'settings by network, such as {"youtube": {"title": "Bells"}}',
  },
  body: { type: "string", value: "PATH", about: "instead of all these: a file with the JSON of POST /v1/posts" },
};

export const postCommand: Command = {
  about: "Publishes or schedules a post",
  words: "[TEXT]",
  maxWords: 1,
  options: {
    ...postOptions,
    key: {
      type: "string",
      value: "KEY",
      about: "posts once, however often the command runs with this key within 24 hours",
    },
    wait: { type: "boolean", about: "waits for the outcome, and fails unless every account published" },
  },
  async run(input) {
    if (input.flag("wait") && input.flag("draft"))
      throw new UsageError("--wait cannot wait for a draft. Leave out one of the two");
    const { client, get, flag, print, note, signal } = input;
    const carillon = await client();
    const { body } = await bodyOf(input, carillon);
    const post = await carillon.post("/v1/posts", { body, idempotencyKey: get("key"), signal }).catch((error) => {
      // A post without --at has a different time in each run, so the server sees a different request.
      if (!(error instanceof CarillonError && error.status === 409 && get("key"))) throw error;
      throw new Failure(`The key ${get("key")} was used for a post within the last 24 hours. Nothing was posted again`);
    });
    for (const { path, message } of post.warnings ?? []) note(`${path} ${plain(message)}`);
    if (!flag("wait")) return print(post, [`Post ${post.id} is ${stateOf(post)}.`, ...linesOf(post)]);
    const waiting = { signal, onChange: fetchingNotes(note), timeoutMs: timeoutOf(post) };
    const done = await carillon.waitFor(post, waiting);
    if (done.overallStatus !== "COMPLETED")
      throw new Failure([`Post ${done.id} was not published everywhere.`, ...linesOf(done)].join("\n"), done);
    print(done, [`Post ${done.id} is published.`, ...linesOf(done)]);
  },
};

export const validateCommand: Command = {
  about: "Says what is wrong with a post, and creates nothing",
  words: "[TEXT]",
  maxWords: 1,
  options: postOptions,
  async run(input) {
    const carillon = await input.client();
    const { body, uploaded } = await bodyOf(input, carillon);
    const { signal } = input;
    const validation = await carillon
      .post("/v1/posts/validate", { body, signal })
      .finally(() => remove(carillon, uploaded));
    const lines = validation.problems.map(({ severity, path, message, fix }) =>
      plain(`${severity ?? "problem"}: ${path} ${message}${fix ? `. ${spoken(fix)}` : ""}`),
    );
    if (!validation.valid) throw new Failure(lines.join("\n"), validation);
    input.print(validation, [...lines, "The post can be published."]);
  },
};

const MAX_WAIT_MS = 600_000;

/** A post is waited for from its time on. */
export function timeoutOf({ scheduledTime }: Pick<Schedule, "scheduledTime">): number {
  return Math.max(0, Date.parse(scheduledTime ?? "") - Date.now() || 0) + MAX_WAIT_MS;
}

/** Returns a function that reports each file that the server cannot fetch yet, once: the post can wait a long time for it. */
function fetchingNotes(note: Input["note"]): (post: Schedule) => void {
  const told = new Set<string>();
  return ({ pendingImports = [] }) => {
    for (const { sourceUrl, state } of pendingImports) {
      if (state !== "FAILED_TEMPORARY" || told.has(sourceUrl)) continue;
      told.add(sourceUrl);
      note(plain(`${sourceUrl} cannot be fetched yet. The server tries again …`));
    }
  };
}

/** Deletes the files that were uploaded for a validation only. */
async function remove(carillon: Carillon, paths: string[]): Promise<void> {
  for (const path of paths) await carillon.delete("/v1/media/{key}", { path: { key: basename(path) } });
}

/** Reads the post from the command line, and uploads its files. Nothing is uploaded if something else is wrong. */
async function bodyOf(input: Input, carillon: Carillon): Promise<{ body: Body; uploaded: string[] }> {
  const { get, all, flag, words, note, signal } = input;
  const file = get("body");
  if (file !== undefined) {
    const others = ["account", "file", "text-file", "at", "draft", "settings"].filter((name) => flag(name));
    if (others.length > 0 || words.length > 0)
      throw new UsageError(`--body has the whole post. Leave out ${others[0] ? `--${others[0]}` : "the text"}`);
    return { body: parsed(await contentOf(file), file) as Body, uploaded: [] };
  }
  if (all("account").length === 0)
    throw new UsageError("--account is missing. carillon-cli accounts lists the accounts");
  const scheduledTime = timeOf(get("at"), flag("draft"));
  const settings = settingsOf(get("settings"));
  const content = await textOf(input);
  const files = all("file");
  if (content === undefined && files.length === 0)
    throw new UsageError("The post is empty. Add a text, --text-file or --file");
  const blobs = await Promise.all(files.map(openFile));
  const targets = await findTargets(carillon, all("account"));
  const unused = [...settings.keys()].find((platform) => !targets.some(({ account }) => account.platform === platform));
  if (unused) throw new UsageError(`--settings has ${unused}, but no --account is on that network`);
  const attachmentPaths: string[] = [];
  const uploaded: string[] = [];
  for (const [index, blob] of blobs.entries()) {
    const name = files[index] ?? "";
    if (blob) {
      note(`Uploading ${name} …`);
      uploaded.push(await carillon.upload(blob, { filename: basename(name), signal }));
    }
    attachmentPaths.push(blob ? (uploaded.at(-1) ?? "") : name);
  }
  const posts = ({ chatId }: Target) => [{ content, chatId, ...(files.length > 0 ? { attachmentPaths } : {}) }];
  const publications = targets.map((target) => ({
    socialMediaAccountId: target.account.id,
    platformSettings: { ...settings.get(target.account.platform), type: target.account.platform },
    posts: posts(target),
  }));
  return { body: { scheduledTime, isDraft: flag("draft") || undefined, publications }, uploaded };
}

/** Returns the time of a post. Without an offset, the server would have to guess. */
function timeOf(at: string | undefined, isDraft: boolean): string | null {
  if (at === undefined) return isDraft ? null : new Date().toISOString();
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(at) || Number.isNaN(Date.parse(at)))
    throw new UsageError(`--at must be a time with an offset, such as 2031-05-01T09:00:00+02:00, not ${at}`);
  return at;
}

type Settings = Map<Schemas["Platform"], { [name: string]: unknown }>;

function settingsOf(json: string | undefined): Settings {
  const example = 'such as {"youtube": {"title": "Bells"}}';
  const all = json === undefined ? {} : parsed(json, "--settings");
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(all) || !Object.values(all).every(isObject))
    throw new UsageError(`--settings must be an object with one object for each network, ${example}`);
  return new Map(Object.entries(all).map(([name, one]) => [platformOf(name), one]));
}

async function textOf({ words: [word], get }: Input): Promise<string | undefined> {
  const file = get("text-file");
  if (word !== undefined && file !== undefined) throw new UsageError("The text is given twice. Leave out --text-file");
  // The line break at the end of a file is not part of the text.
  return file === undefined ? word : (await contentOf(file)).replace(/\r?\n$/, "");
}

/** Returns the content of a text file, or of standard input for `-`. */
export async function contentOf(path: string): Promise<string> {
  return path === "-" ? readAll(process.stdin) : readFile(path, "utf8").catch(unreadable(path));
}

/** Opens a file for an upload. Returns undefined for an address, from which the server fetches the file. */
async function openFile(path: string): Promise<Blob | undefined> {
  if (/^https?:\/\//.test(path)) return undefined;
  const found = await stat(path).catch(unreadable(path));
  if (!found.isFile()) throw new UsageError(`${path} is not a file`);
  // Node 18 cannot open a file without reading it.
  return fs.openAsBlob ? fs.openAsBlob(path) : new Blob([await readFile(path)]);
}

function unreadable(path: string) {
  return ({ code, message }: NodeJS.ErrnoException): never => {
    throw new UsageError(`${path} cannot be read: ${code === "ENOENT" ? "there is no such file" : (code ?? message)}`);
  };
}

function parsed(json: string, name: string): object {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message}`);
  }
}

function stateOf({ overallStatus, scheduledTime }: Schedule): string {
  if (overallStatus === "DRAFT") return "a draft";
  if (overallStatus !== "SCHEDULED") return overallStatus.toLowerCase().replaceAll("_", " ");
  return Date.parse(scheduledTime ?? "") > Date.now() ? `scheduled for ${scheduledTime}` : "being published";
}

/** One line for each account that has an outcome. */
function linesOf({ publications }: Schedule): string[] {
  return publications.flatMap(({ socialMediaAccountId: id, platformSettings, status, posts: [first] }) => {
    const said = first?.permalink ?? first?.error;
    return said ? [plain(`${platformSettings.type} (account ${id}): ${status.toLowerCase()} ${said}`)] : [];
  });
}
