import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Carillon } from "../../sdk/src";
import { version } from "../package.json";
import { type CallApi, createMcpServer } from "./tools";

const SCOPE = "service-api/posts.propose";
const WIDER = ["service-api/posts.write", "service-api/api"];

/** The SDK's calls with paths in variables, which its types cannot follow. The server checks every call. */
type LooseCalls = {
  [method in "get" | "post"]: (
    path: string,
    call: { path?: object; query?: object; body?: unknown },
  ) => Promise<unknown>;
};

/**
 * Serves Carillon's tools over stdin and stdout, for agents on this computer. All messages for people go to stderr.
 * @throws Error with one sentence for people if a setting is missing or wrong
 */
function start({ CARILLON_URL: baseUrl = "", CARILLON_TOKEN: token = "", CARILLON_MCP_PUBLISHING }: NodeJS.ProcessEnv) {
  if (!baseUrl)
    throw new Error("CARILLON_URL is missing. Set it to the address of Carillon, such as https://social.example.com");
  if (!token)
    throw new Error(
      `CARILLON_TOKEN is missing. Create a token with the scope ${SCOPE} under Developers in the dashboard`,
    );
  const scopes = scopesOf(token);
  const isWider = scopes.some((scope) => WIDER.includes(scope));
  if (!scopes.includes(SCOPE) && !isWider)
    throw new Error(`CARILLON_TOKEN has the scopes ${scopes.join(" ")}. It needs ${SCOPE}. Create another token`);
  const canPublish = CARILLON_MCP_PUBLISHING === "on";
  // An agent can often read its own environment, and would publish with the token without any of the tools.
  if (isWider && !canPublish)
    throw new Error(
      `CARILLON_TOKEN may publish without approval. Create a token with only the scope ${SCOPE}, or set CARILLON_MCP_PUBLISHING=on to allow it`,
    );
  const carillon = new Carillon({ baseUrl, token }) as unknown as LooseCalls;
  const callApi: CallApi = ({ method, path, params, query, body }) =>
    carillon[method](path, { path: params, query, body });
  serveStdio(() => createMcpServer(callApi, version, canPublish && isWider));
}

/** The scopes in a token, which is a JWT. The server checks the signature; this only explains mistakes early. */
function scopesOf(token: string): string[] {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    return (claims as { scope: string }).scope.split(" ");
  } catch {
    throw new Error("CARILLON_TOKEN is not a token of Carillon. Copy the whole token from Developers in the dashboard");
  }
}

try {
  start(process.env);
} catch (error) {
  console.error(`carillon-mcp: ${(error as Error).message}`);
  process.exitCode = 1;
}
