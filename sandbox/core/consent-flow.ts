import { type ConsentPage, consentForm, type Decision, readDecision, withParameters } from "./consent";
import type { Call } from "./network";
import type { World } from "./world";

type Allowed = Extract<Decision, { decision: "allow" }>;
type Parameters = Record<string, string>;

/** How a network asks its people, and what it sends an application back with. */
type ConsentFlow = {
  page: ConsentPage;
  denied: Parameters;
  /** Gives the code, and whatever stands beside it. */
  allow(account: string, form: Allowed["form"]): Parameters;
  /** What ends the address after a yes. */
  fragment?: string;
};

/** The consent page of an authorization request that is well-formed, and the way back with `state` as it came. */
export async function askConsent(world: World, call: Call, flow: ConsentFlow): Promise<Response> {
  const { page, denied, allow, fragment } = flow;
  if (call.req.method === "GET") return consentForm(call, page);
  const decision = await readDecision(world, page.network, call);
  if (typeof decision === "string") return consentForm(call, { ...page, problem: decision });
  if (decision.decision === "deny") return goBack(call, denied);
  const account = decision.person.name;
  call.get("entry").account = account;
  return goBack(call, allow(account, decision.form), fragment);
}

/** Sends the browser back to the application. */
export function goBack(call: Call, parameters: Parameters, fragment?: string): Response {
  const { redirect_uri: redirectUri = "", state } = call.req.query();
  const echoed: Parameters = state === undefined ? {} : { state };
  return call.body(null, 302, { location: withParameters(redirectUri, { ...parameters, ...echoed }, fragment) });
}
