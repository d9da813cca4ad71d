import { type Application, findApplication, isSecretOf } from "./applications";
import { OAuthError } from "./oauth-error";
import type { Parameters } from "./parameters";
import { takeTurn } from "./slow-down";

/** The same for an unknown client and for a wrong secret: which clients exist is nobody's business. */
const wrongClient = () => new OAuthError("invalid_client", "The client id or secret is wrong");

/**
 * The client that a request comes from: `client_id` and `client_secret` in the body or by HTTP Basic (RFC 6749, section
 * 2.3.1), or the id alone where the client is public.
 */
export async function authenticateClient(
  headers: Headers,
  parameters: Parameters,
  address: string,
): Promise<Application> {
  const { clientId, secret } = credentialsOf(headers, parameters);
  if (clientId === undefined) throw wrongClient();
  const turn = await takeTurn(clientId, address);
  const application = await findApplication(clientId);
  const right = application?.isPublic
    ? secret === undefined
    : application && secret !== undefined && (await isSecretOf(clientId, secret));
  if (!application || !right) {
    turn.failed();
    throw wrongClient();
  }
  turn.succeeded();
  if (application.suspendedAt) throw new OAuthError("invalid_client", "This client is suspended");
  return application;
}

function credentialsOf(headers: Headers, { client_id, client_secret }: Parameters) {
  const authorization = headers.get("authorization");
  if (authorization === null) return { clientId: client_id, secret: client_secret };
  if (client_secret !== undefined) {
    throw new OAuthError("invalid_request", "Authenticate in one way: by HTTP Basic or in the body");
  }
  const [clientId, secret] = basicOf(authorization);
  if (client_id !== undefined && client_id !== clientId) {
    throw new OAuthError("invalid_request", "client_id and HTTP Basic name different clients");
  }
  return { clientId, secret };
}

function basicOf(authorization: string): [clientId: string, secret: string | undefined] {
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  const text = Buffer.from(encoded ?? "", "base64").toString("utf8");
  const colon = text.indexOf(":");
  try {
    if (colon < 1) throw wrongClient();
    const [clientId, secret] = [text.slice(0, colon), text.slice(colon + 1)].map(formDecoded);
    if (!clientId || clientId.includes("\0")) throw wrongClient();
    return [clientId, secret || undefined];
  } catch {
    throw wrongClient();
  }
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}
