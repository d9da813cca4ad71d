import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { Carillon, type CarillonError } from "../../sdk/src";
import type { Args, ItemOf, ListPath, PathWith } from "../../sdk/src/calls";
import { baseOf } from "../../sdk/src/client";
import { Failure, UsageError } from "./command";

/** Where and with which token the commands call the API. */
export type Login = { url: string; token: string };
type Given = { url?: string; token?: string };

const DEFAULT_URL = "http://localhost:3000";

/** The file with the login, in the folder that the system has for settings of programs. */
function fileOf({ XDG_CONFIG_HOME, APPDATA }: NodeJS.ProcessEnv): string {
  const folder = process.platform === "win32" ? APPDATA : XDG_CONFIG_HOME;
  return join(folder || join(homedir(), ".config"), "carillon", "login.json");
}

async function stored(): Promise<Login | undefined> {
  const file = fileOf(process.env);
  const content = await readFile(file, "utf8").catch(() => undefined);
  if (content === undefined) return undefined;
  try {
    const { url, token } = JSON.parse(content);
    if (typeof url === "string" && typeof token === "string") return { url, token };
  } catch {
    // Reported like any other content that is not a login.
  }
  throw new Failure(`${file} is not a login. Run carillon-cli login again`);
}

/** Stores a login where only this user can read it. A file with other rights is replaced, not written to. */
export async function store(login: Login): Promise<string> {
  const file = fileOf(process.env);
  const partial = `${file}.${process.pid}`;
  await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
  await rm(partial, { force: true });
  await writeFile(partial, `${JSON.stringify(login)}\n`, { mode: 0o600, flag: "wx" });
  await rename(partial, file);
  return file;
}

/** Deletes the login. Returns false if there was none. */
export async function forget(): Promise<boolean> {
  return rm(fileOf(process.env)).then(
    () => true,
    (error) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}

/**
 * Returns the client for a command. Options come before CARILLON_URL and CARILLON_TOKEN, and these before the login.
 * @throws UsageError without a token, and if the server of a token is unknown or another one, which must not see it
 */
export async function clientOf(given: Given): Promise<Carillon> {
  const { CARILLON_URL, CARILLON_TOKEN } = process.env;
  const url = given.url || CARILLON_URL;
  const token = given.token || CARILLON_TOKEN;
  const login = await stored();
  if (token) {
    const at = url || (login?.token === token ? login.url : undefined);
    if (!at) throw new UsageError("Say which server the token belongs to: set CARILLON_URL, or give --url");
    return connected({ url: at, token });
  }
  if (!login)
    throw new UsageError("You are not logged in. Run carillon-cli login, or set CARILLON_URL and CARILLON_TOKEN");
  if (url && withoutSlash(url) !== login.url)
    throw new UsageError(`You are logged in to ${login.url}, not to ${url}. Run carillon-cli login --url ${url}`);
  return connected(login);
}

/** A field that the answer of a call has, or each entry of its list. */
const FIELD_OF: { [path: string]: string } = {
  ...{ "/v1/me": "name", "/v1/accounts": "accountUsername", "/v1/accounts/{id}/chats": "title" },
  ...{ "/v1/posts": "publications", "/v1/posts/{id}": "publications", "/v1/posts/validate": "problems" },
  ...{ "/v1/posts/import": "rows", "/v1/events": "items" },
};

/** Another API can also answer with success and JSON. @throws Failure for such an answer */
function checked<T>(path: string, answer: T): T {
  const field = FIELD_OF[path];
  if (field === undefined || [answer].flat().every((one) => Object(one)[field] !== undefined)) return answer;
  throw new Failure(
    `This is not an answer of Carillon (${path} has no ${field}). Check that --url is the address of a Carillon server`,
  );
}

/** Calls Carillon, and refuses the answers of another API. */
class CheckedCarillon extends Carillon {
  override async get<P extends PathWith<"get">>(path: P, ...call: Args<P, "get">) {
    return checked(path, await super.get(path, ...call));
  }
  override async post<P extends PathWith<"post">>(path: P, ...call: Args<P, "post">) {
    return checked(path, await super.post(path, ...call));
  }
  override async *list<P extends ListPath>(path: P, ...call: Args<P, "get">): AsyncGenerator<ItemOf<P>, void> {
    for await (const item of super.list(path, ...call)) yield checked(path, item);
  }
}

/**
 * A person waits for the answer, so a wrong address is reported after two seconds instead of ten.
 * @throws UsageError if the token is more than a token
 */
function connected({ url, token }: Login): Carillon {
  assertAddress(url);
  if (/[^!-~]|["{}]/.test(token.trim()))
    throw new UsageError("This is more than a token. Give only the value of access_token");
  return new CheckedCarillon({ baseUrl: url, token, retries: 3 });
}

/** @throws UsageError unless a server can have this URL */
function assertAddress(url: string): void {
  try {
    baseOf(url);
  } catch (error) {
    throw new UsageError((error as CarillonError).message.replaceAll("baseUrl", "--url"));
  }
}

const withoutSlash = (url: string) => url.replace(/\/+$/, "");

/** Asks for what is missing, checks that the server accepts the token, and returns the login with the person that it acts for. */
export async function checkedLogin(given: Given) {
  const url = withoutSlash(given.url || process.env.CARILLON_URL || DEFAULT_URL);
  assertAddress(url); // before it asks for the token
  const token = (given.token || (await readToken(url))).trim();
  if (!token)
    throw new UsageError("The token is missing. Create one under Developers in the dashboard, and type or pipe it");
  const person = await connected({ url, token }).get("/v1/me");
  return { login: { url, token }, person };
}

/** Reads a token that is piped, or typed without showing it. */
async function readToken(url: string): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin);
  process.stderr.write(`Token for ${url} (create one under Developers in the dashboard): `);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: hidden, terminal: true });
  const interrupted = new Promise<never>((_resolve, reject) => {
    reader.once("SIGINT", () => reject(new Failure("Nothing was stored")));
  });
  try {
    return await Promise.race([reader.question(""), interrupted]);
  } finally {
    reader.close();
    process.stderr.write("\n");
  }
}
