import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Carillon, CarillonError } from "../../sdk/src";
import { version } from "../package.json";
import { type ApiCall, type CallApi, createMcpServer } from "./tools";

const PROPOSING = "service-api/posts.propose";
const PUBLISHING = ["service-api/posts.write", "service-api/api"];

/** The SDK's calls with paths in variables, which its types cannot follow. The server checks every call. */
type LooseCalls = {
  [method in ApiCall["method"]]: (
    path: string,
    call: {
      path?: object;
      query?: object;
      body?: unknown;
      headers?: { [name: string]: string };
      onHeaders?: (headers: Headers) => void;
    },
  ) => Promise<unknown>;
};

/**
 * Serves Carillon's tools over stdin and stdout, for agents on this computer. All messages for people go to stderr.
 * @throws Error with one sentence for people if a setting is missing or wrong
 */
function start({
  CARILLON_URL: baseUrl = "",
  CARILLON_TOKEN: token = "",
  CARILLON_PUBLISHING_TOKEN,
}: NodeJS.ProcessEnv) {
  if (!baseUrl)
    throw new Error("CARILLON_URL is missing. Set it to the address of Carillon, such as https://social.example.com");
  if (!token)
    throw new Error(
      `CARILLON_TOKEN is missing. Create a token with the scope ${PROPOSING} under Developers in the dashboard`,
    );
  const scopes = scopesOf("CARILLON_TOKEN", token);
  // Posts that are created with a wider token would not be proposals, and an agent can often read its own environment.
  if (scopes.some((scope) => PUBLISHING.includes(scope)))
    throw new Error(`CARILLON_TOKEN may publish without approval. Create a token with only the scope ${PROPOSING}`);
  if (!scopes.includes(PROPOSING))
    throw new Error(`CARILLON_TOKEN has the scopes ${scopes.join(" ")}. It needs ${PROPOSING}. Create another token`);
  const publisher = CARILLON_PUBLISHING_TOKEN ? publisherWith(baseUrl, CARILLON_PUBLISHING_TOKEN) : undefined;
  const proposer = clientWith(baseUrl, token);
  const callApi: CallApi = async ({ method, path, params, query, body, ifMatch, onEtag, publishes }) => {
    const isPublishing = publishes && publisher;
    try {
      return await (isPublishing || proposer)[method](path, {
        ...{ path: params, query, body },
        headers: ifMatch === undefined ? {} : { "If-Match": ifMatch },
        onHeaders: (headers) => onEtag?.(headers.get("etag") ?? ""),
      });
    } catch (error) {
      const message = messageOf(error, isPublishing ? "CARILLON_PUBLISHING_TOKEN" : "CARILLON_TOKEN");
      // Every Carillon server has the calls that name no post or account.
      const isElsewhere = error instanceof CarillonError && error.status === 404 && !params;
      if (!isElsewhere || message.includes("CARILLON_URL")) throw new Error(message);
      throw new Error(`${message}. Check that CARILLON_URL is the address of a Carillon server`);
    }
  };
  serveStdio(() => createMcpServer(callApi, version, { canPublish: publisher !== undefined }));
}

function publisherWith(baseUrl: string, token: string): LooseCalls {
  const scopes = scopesOf("CARILLON_PUBLISHING_TOKEN", token);
  if (scopes.some((scope) => PUBLISHING.includes(scope))) return clientWith(baseUrl, token);
  throw new Error(
    `CARILLON_PUBLISHING_TOKEN has the scopes ${scopes.join(" ")}. It needs ${PUBLISHING[0]}. Create another token, or remove it`,
  );
}

function clientWith(baseUrl: string, token: string): LooseCalls {
  return new Carillon({ baseUrl, token }) as unknown as LooseCalls;
}

/** The SDK's errors name its own options, so this names the settings instead. */
function messageOf(error: unknown, setting = "CARILLON_TOKEN"): string {
  const { message } = error as Error;
  return message.replaceAll("baseUrl", "CARILLON_URL").replace("pass it as token", `set it as ${setting}`);
}

/** The scopes in a token, which is a JWT. The server checks the signature; this only explains mistakes early. */
function scopesOf(setting: string, token: string): string[] {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    return (claims as { scope: string }).scope.split(" ");
  } catch {
    throw new Error(`${setting} is not a token of Carillon. Copy the whole token from Developers in the dashboard`);
  }
}

try {
  start(process.env);
} catch (error) {
  console.error(`carillon-mcp: ${messageOf(error)}`);
  process.exitCode = 1;
}
