import { AccessDenied, FreshSignInRequired, Unauthorized } from "../../errors";
import { BeingDeleted, FRESH_MINUTES } from "../../users";
import type { ErrorResponse, Route } from "../route";
import { nounOf } from "./descriptions";

const BAD_TOKEN = {
  status: 401,
  when: "The access token is missing, expired or invalid",
  error: new Unauthorized().message,
};
const SERVER_ERRORS = [
  { status: 500, when: "An error on our side; try again later", error: "Something went wrong on our side" },
  {
    status: 503,
    when: "The service or the network is temporarily unavailable; try again later",
    error: "The service is not ready; try again in a moment",
  },
];
const CONNECT_USER_ERRORS = [
  {
    status: 400,
    when: "A partner's call does not name a user",
    error: "X-Connect-User-Id or X-Connect-External-User-Id cannot be null",
  },
  { status: 404, when: "The partner has no such user", error: "Connect user not found: customer-42" },
  { status: 409, when: "The user is being deleted", error: new BeingDeleted().message },
];
const CONFLICTING_USERS = {
  status: 400,
  when: "The two headers name different users",
  error: "X-Connect-User-Id and X-Connect-External-User-Id name different users",
};
const STALE_SESSION = {
  status: 403,
  when: "The dashboard calls, and the person signed in too long ago. `WWW-Authenticate` asks for a fresh sign-in",
  error: new FreshSignInRequired(FRESH_MINUTES).message,
};
const JSON_ERRORS = [
  { status: 400, when: "The body is not JSON, or nested too deeply", error: "The body is not valid JSON" },
  { status: 413, when: "The body is larger than 1 MB", error: "The body is too large: the maximum is 1 MB" },
  { status: 415, when: "The body has another type", error: "Content-Type must be application/json" },
];
const IDEMPOTENCY_ERRORS = [
  {
    status: 400,
    when: "The `Idempotency-Key` is empty or too long",
    error: "Idempotency-Key must have 1 to 255 characters",
  },
  {
    status: 409,
    when: "The `Idempotency-Key` was used with another request before",
    error: "Idempotency-Key was already used with a different body",
  },
  {
    status: 409,
    when: "The first request with this `Idempotency-Key` is still running",
    error: "A request with this Idempotency-Key is still running",
  },
];

/** Returns all error responses of a route: those that follow from its declaration, and its own. */
export function errorResponsesOf(route: Route): ErrorResponse[] {
  const { errorResponses: own = [] } = route;
  const isForUser = route.scope !== "partner" || route.forUser;
  return [
    ...own,
    ...(route.query ? [{ status: 400, when: "A query parameter is invalid", error: queryError(route) }] : []),
    ...(route.body ? JSON_ERRORS : []),
    ...(takesIdempotencyKey(route) ? IDEMPOTENCY_ERRORS : []),
    ...(isForUser ? connectUserErrors(route) : []),
    BAD_TOKEN,
    { status: 403, when: whenDenied(route), error: new AccessDenied().message },
    ...(route.needsFreshSession ? [STALE_SESSION] : []),
    ...(route.params && !own.some(({ status }) => status === 404) ? [notFoundResponse(route)] : []),
    ...SERVER_ERRORS,
  ];
}

function connectUserErrors({ orPartner }: Route): ErrorResponse[] {
  return orPartner ? [CONFLICTING_USERS, ...CONNECT_USER_ERRORS.slice(1)] : CONNECT_USER_ERRORS;
}

/** Returns whether a route accepts an `Idempotency-Key`. */
export function takesIdempotencyKey({ method, idempotency }: Pick<Route, "method" | "idempotency">): boolean {
  return method === "post" && idempotency !== "none";
}

function whenDenied({ scope }: Route): string {
  return scope === "partner"
    ? "The token is not a partner's, or the partner is suspended"
    : "The token lacks the scope, the user is suspended, or a token that is not a partner's names a user";
}

function queryError({ query }: Route): string {
  const [name] = Object.keys((query as { shape?: object }).shape ?? {});
  return `${name} is given twice`;
}

function notFoundResponse(route: Route): ErrorResponse {
  const id = Object.values(route.examples[0].params ?? {})[0] ?? "";
  const { thing } = nounOf(route.path);
  return {
    status: 404,
    when: "It does not exist, or belongs to someone else; the answer is the same",
    error: `${thing} not found: ${id}`,
  };
}
