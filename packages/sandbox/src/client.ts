import type {
  Applications,
  Call,
  ConsentOptions,
  Fault,
  Media,
  Network,
  Person,
  Post,
  PostFilter,
  Sandbox,
} from "./types.js";

const POLL_MS = 25;

/** Every network, with its name as people know it, in the order of the feed. */
export const NETWORK_NAMES: { [N in Network]: string } = {
  x: "X",
  youtube: "YouTube",
  threads: "Threads",
  tiktok: "TikTok",
  instagram: "Instagram",
  linkedin: "LinkedIn",
  bluesky: "Bluesky",
  telegram: "Telegram",
  facebook: "Facebook",
  pinterest: "Pinterest",
};

const applicationOf = (network: Network) => ({
  clientId: `sandbox-${network}`,
  clientSecret: `sandbox-${network}-secret`,
});

const applications: Applications = {
  x: applicationOf("x"),
  youtube: applicationOf("youtube"),
  threads: applicationOf("threads"),
  tiktok: applicationOf("tiktok"),
  instagram: applicationOf("instagram"),
  linkedin: applicationOf("linkedin"),
  facebook: applicationOf("facebook"),
  pinterest: applicationOf("pinterest"),
  telegram: { botToken: "1000000001:sandbox-telegram-bot", botUsername: "carillon_sandbox_bot" },
  bluesky: { appPassword: "sand-box7-pass-word" },
};

/** The sandbox refused what it was asked to do, or cannot be reached. The message says why, and what to do. */
export class SandboxError extends Error {
  override name = "SandboxError";
}

/**
 * Returns the helpers for a sandbox that another process runs, for example `npx carillon-sandbox` or Carillon itself.
 * @param address its address, for example `http://localhost:3010`
 * @throws SandboxError if no sandbox answers there
 */
export async function connectSandbox(address: string | URL): Promise<Sandbox> {
  const { origin } = parseAddress(address);
  const sandbox = helpersFor(origin);
  await sandbox.faults.list();
  return sandbox;
}

/** The helpers, all of which are calls of the sandbox's control API at `/_control`. */
export function helpersFor(url: string): Sandbox {
  const send = (method: "GET" | "POST" | "DELETE", path: string, body?: unknown) =>
    callControl(url, method, path, body);
  const read = async <T>(path: string, query: { network?: string; account?: string } = {}): Promise<T> => {
    const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return (await send("GET", `${path}?${new URLSearchParams(given)}`)).json() as Promise<T>;
  };
  const moveClock = async (seconds: number) => {
    const answer = await send("POST", "clock", { advanceSeconds: seconds });
    return new Date(((await answer.json()) as { now: string }).now);
  };
  const listPosts = <N extends Network>({ network, account }: PostFilter<N> = {}) =>
    read<Post<N>[]>("posts", { network, account });

  return {
    url,
    urls: urlsAt(url),
    applications,
    people: {
      list: (network) => read<Person[]>("people", { network }),
      allow: (authorizeUrl, options) => decide(url, authorizeUrl, "allow", options),
      deny: (authorizeUrl) => decide(url, authorizeUrl, "deny"),
      async startBot({ person = "alice", code, channels = ["public", "private"] }) {
        const page = new URL(`${url}/telegram/${applications.telegram.botUsername}`);
        page.searchParams.set("start", code);
        const form = new URLSearchParams({ account: person, decision: "allow" });
        // Without any field, the bot would become an administrator of both channels.
        for (const channel of channels.length > 0 ? channels : ["none"]) form.append("channel", channel);
        const answer = await request(url, page, { method: "POST", body: form });
        if (!answer.ok) throw new SandboxError(`Telegram's page refused: ${textOf(await answer.text())}`);
      },
    },
    faults: {
      add: async (fault) => void (await send("POST", "faults", fault)),
      list: () => read<Fault[]>("faults"),
      clear: async () => void (await send("DELETE", "faults")),
    },
    clock: { now: () => moveClock(0), advance: moveClock },
    posts: {
      list: listPosts,
      async waitFor(filter = {}) {
        const { matching = () => true, timeoutSeconds = 10, ...which } = filter;
        const until = performance.now() + timeoutSeconds * 1000;
        for (;;) {
          const posts = await listPosts(which);
          const found = posts.find(matching);
          if (found) return found;
          if (performance.now() > until) throw new SandboxError(missing(timeoutSeconds, posts));
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        }
      },
      async file({ sha256 }: Media) {
        const answer = await request(url, new URL(`/_media/${sha256}`, url));
        if (!answer.ok) throw new SandboxError(`The sandbox has no file with the SHA-256 ${sha256}.`);
        return new Uint8Array(await answer.arrayBuffer());
      },
    },
    calls: { list: (filter = {}) => read<Call[]>("calls", filter) },
    async change(network, what, values) {
      const answer = await send("POST", `${network}/${what}`, values);
      return answer.status === 204 ? {} : ((await answer.json()) as Record<string, string>);
    },
    reset: async () => void (await send("POST", "reset")),
  };
}

function parseAddress(address: string | URL): URL {
  // Not `URL.canParse`: after some thousand calls, Node 20 answers false for a host with a letter such as ü.
  try {
    const url = new URL(address);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch {
    // Reported like any other text that is not an address.
  }
  throw new SandboxError(`"${address}" is not the address of a sandbox. Example: http://localhost:3010`);
}

function urlsAt(url: string): Sandbox["urls"] {
  const names = Object.keys(NETWORK_NAMES) as Network[];
  const urls = Object.fromEntries(names.map((name) => [name, `${url}/${name}`])) as Sandbox["urls"];
  return { ...urls, bluesky: url.replace("//localhost:", "//127.0.0.1:") };
}

async function callControl(url: string, method: string, path: string, body: unknown): Promise<Response> {
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const answer = await request(url, new URL(`/_control/${path}`, url), { method, ...json });
  if (answer.ok) return answer;
  const text = await answer.text();
  const reason = answer.headers.get("content-type")?.includes("json") ? String(JSON.parse(text).error) : undefined;
  throw new SandboxError(
    reason ?? `${url} answers with ${answer.status}, but is not a sandbox. Start one with: npx carillon-sandbox`,
  );
}

async function request(url: string, address: URL, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    throw new SandboxError(`No sandbox answers at ${url}. Start one with: npx carillon-sandbox`, { cause });
  }
}

/** Submits a consent page. Returns where it sends the browser. */
async function decide(
  url: string,
  authorizeUrl: string | URL,
  decision: "allow" | "deny",
  { person = "alice", without = [], outcome }: ConsentOptions = {},
): Promise<URL> {
  const page = new URL(authorizeUrl);
  if (page.port !== new URL(url).port || page.protocol !== "http:")
    throw new SandboxError(
      `${page.origin} is not this sandbox, so nothing was sent there. Replace the network's host by its address in sandbox.urls.`,
    );
  const form = new URLSearchParams({ account: person, decision });
  for (const permission of without) form.append("without", permission);
  if (outcome) form.set("outcome", outcome);
  const answer = await request(url, page, { method: "POST", redirect: "manual", body: form });
  const location = answer.headers.get("location");
  if (!location)
    throw new SandboxError(`The consent page answered with ${answer.status}: ${textOf(await answer.text())}`);
  return new URL(location);
}

/** The text of a page, for a message. */
function textOf(page: string): string {
  const [, main = page] = /<main[^>]*>([\s\S]*)<\/main>/.exec(page) ?? [];
  return main
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300);
}

function missing(timeoutSeconds: number, posts: { network: Network; account: string; text: string }[]): string {
  const arrived = posts.map(
    ({ network, account, text }) => `${network} ${account}: ${JSON.stringify(text.slice(0, 80))}`,
  );
  const others = arrived.length > 0 ? `These arrived:\n${arrived.join("\n")}` : "None arrived.";
  return `No matching post arrived within ${timeoutSeconds} seconds. ${others}`;
}
