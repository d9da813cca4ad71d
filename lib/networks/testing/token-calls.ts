import { formFieldsOf } from "./fields";
import type { RequestCheck, SentRequest } from "./request-checks";

/** The parameters of one grant. An empty grant type is a call without `grant_type`. */
type Grant = { grantType: string; required: string[]; optional?: string[] };

/**
 * A call of a network's token endpoint, which machine-readable descriptions leave out: the networks describe it on pages for
 * readers, after RFC 6749, 7009 and 7636. `hasBasic`: the credentials are in the Authorization header (RFC 6749, 2.3.1).
 * `isMultipart`: the form is sent in parts, which no RFC describes.
 */
export type TokenCall = { source: string; hasBasic?: true; isMultipart?: true; grants: Grant[] };

/** Checks token calls by this table, such as `{ "POST /2/oauth2/token": … }`, and all other calls by the network's description. */
export function withTokenCalls(described: RequestCheck, calls: { [call: string]: TokenCall }): RequestCheck {
  return async (sent) => {
    const call = calls[`${sent.method} ${sent.path}`];
    return call ? problemsOf(call, sent) : described(sent);
  };
}

async function problemsOf(call: TokenCall, sent: SentRequest): Promise<string[]> {
  const { source, hasBasic, isMultipart, grants } = call;
  const given = await parametersOf(sent, isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded");
  if (typeof given === "string") return [given];
  const names = given.map(([name]) => name);
  const grantType = given.find(([name]) => name === "grant_type")?.[1] ?? "";
  const grant = grants.find((one) => one.grantType === grantType);
  if (!grant) return [`the grant type "${grantType}" is not described in ${source}`];
  const required = [...(grantType ? ["grant_type"] : []), ...grant.required];
  const known = [...required, ...(grant.optional ?? [])];
  const isBasic = sent.headers.get("authorization")?.startsWith("Basic ") ?? false;
  return [
    ...names.filter((name) => !known.includes(name)).map((name) => `parameter ${name} is unknown`),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `parameter ${name} is sent twice`),
    ...required
      .filter((name) => !given.some(([one, value]) => one === name && value))
      .map((name) => `parameter ${name} is missing`),
    ...(isBasic === (hasBasic ?? false)
      ? []
      : [`the credentials are ${isBasic ? "" : "not "}in the Authorization header`]),
  ];
}

/** The parameters of the query of a GET, or of the form of a POST. Returns a problem for any other call. */
async function parametersOf(sent: SentRequest, type: string): Promise<[name: string, value: string][] | string> {
  if (sent.method === "GET") return [...sent.query];
  if (sent.query.size > 0) return "a token call has no query";
  if (!sent.headers.get("content-type")?.startsWith(type)) return `the form is not ${type}`;
  return Object.entries(await formFieldsOf(sent)).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
}
