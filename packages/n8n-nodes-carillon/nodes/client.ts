import type {
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  IN8nHttpFullResponse,
} from "n8n-workflow";
import { Carillon, CarillonError } from "../../sdk/src";

type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

export const CREDENTIAL = "carillonApi";

/** n8n replaces it with the credential's token, which nodes should not read. */
const NO_TOKEN = "set-by-n8n";
const TIMEOUT_MS = 300_000;

/** Returns a client that sends its requests with n8n's helper, so that n8n's proxy, certificates and credentials apply. */
export async function clientOf(context: Context): Promise<Carillon> {
  const { url } = await context.getCredentials(CREDENTIAL);
  try {
    return new Carillon({ baseUrl: String(url), token: NO_TOKEN, fetch: fetchOf(context) });
  } catch (error) {
    return inFields(error);
  }
}

/** Throws the error again. The SDK's errors name its own options, so their messages then name the fields of the credential. */
export function inFields(error: unknown): never {
  if (error instanceof CarillonError)
    error.message = error.message
      .replaceAll("baseUrl", "“Server Address” in the credential")
      .replace("pass it as token", "store it as “Token” in the credential")
      .replace("Wait longer with timeoutMs", "Set a longer “Timeout” in the node")
      .replace(". Use uploadToStore, or ask", ". Ask");
  throw error;
}

function fetchOf(context: Context): typeof fetch {
  return async (input, { method, headers, body } = {}) => {
    const sent = new Headers(headers);
    sent.delete("authorization");
    const options: IHttpRequestOptions = {
      ...{ url: String(input), method: (method ?? "GET") as IHttpRequestMethods, timeout: TIMEOUT_MS },
      headers: Object.fromEntries(sent),
      body: body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : ((body as string | undefined) ?? undefined),
      // The SDK reads answers and errors by itself.
      ...{ encoding: "text", returnFullResponse: true, ignoreHttpStatusErrors: true, disableFollowRedirect: true },
    };
    const helper = context.helpers.httpRequestWithAuthentication;
    const answer: IN8nHttpFullResponse = await helper.call(context, CREDENTIAL, options);
    const { statusCode: status, headers: received, body: text } = answer;
    const init = { status, headers: headersOf(received) };
    return new Response(status === 204 || status === 304 ? null : textOf(text), init);
  };
}

function headersOf(received: IN8nHttpFullResponse["headers"]): Headers {
  return new Headers(Object.entries(received).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])));
}

/** Some versions of n8n parse JSON although text was asked for. */
function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body ?? "");
}
