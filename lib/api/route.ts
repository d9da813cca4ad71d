import type { z } from "zod";
import { AlreadyAnswered, type Ticket } from "../db/idempotency";
import { assertStorableValue } from "../db/statement";
import { BadRequest } from "../errors";
import { entityTagOf } from "../http/headers";
import { addHeaders } from "../http/json";
import type { Scope } from "../oauth";
import type { Subscriber } from "../webhooks";
import { parse, readJson } from "./body";
import { type Caller, callerOf, connectIdentityOf, type PartnerCaller, partnerOf, subscriberOf } from "./caller";
import { idempotently, replayAnswer, type TicketFor, ticketsFor } from "./idempotency";

/**
 * A route declares its needs as data, read by the router, the scope table and the OpenAPI document alike. The order is the
 * same for all: authenticate, authorise, parse, call, present.
 */
type RouteDeclaration<Params, Query, Body> = {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** With `{name}` where a parameter stands. */
  path: string;
  summary: string;
  /** What it is for and what to know of it, in Markdown. Absent where the summary says it all. */
  description?: string;
  params?: z.ZodType<Params>;
  query?: z.ZodType<Query>;
  /** A JSON body. Absent: the handler reads the request itself, or there is none. */
  body?: z.ZodType<Body>;
  /** The shapes that the body can have, where the handler tells them apart itself and `body` lets all of them through. */
  bodies?: z.ZodType[];
  /** The parts of a multipart body, which the handler reads itself. */
  multipart?: z.ZodType;
  /** A body of text/csv, which the handler reads itself. */
  csv?: z.ZodType;
  /** Headers that it reads beside those that every route does. */
  headers?: z.ZodType;
  /** A partner's own call that names a user all the same. */
  forUser?: true;
  /**
   * How a POST honours an `Idempotency-Key`. Absent: by its JSON body, and no handler knows of it. `handler`: it reads its
   * body itself and calls `once`, or hands its verb the ticket, when it knows it. `verb`: its verb takes the ticket and keeps the answer beside what it
   * stores. `none`: it changes nothing, so there is nothing to do once.
   */
  idempotency?: "handler" | "verb" | "none";
  /** The answer holds a secret that is shown this once: what is kept of it for a repeated request is sealed. */
  isSecret?: true;
  /** The answer shows one thing as it stands, and carries its `ETag`; a replay that of the first answer. */
  isTagged?: true;
  /** What is answered when all is well. */
  answers: { [status: number]: z.ZodType | string };
  /** The media type of those answers, where it is not JSON. */
  answerType?: string;
  /** Refusals of its own; what every route refuses in the same way is known already (`openapi/refusals.ts`). */
  refusals?: ErrorResponse[];
  /** Requests with their answers, as the reference shows them; a test holds them against the shapes above. */
  examples: [Example, ...Example[]];
};

export type ErrorResponse = { status: number; when: string; error: string };

export type Example = {
  /** What tells it from the others, where there are several. */
  title?: string;
  params?: { [name: string]: string };
  query?: { [name: string]: string };
  headers?: { [name: string]: string };
  /** For a multipart body the file names by part. */
  body?: unknown;
  answer?: unknown;
};

type Parsed<Params, Query, Body> = {
  params: Params;
  query: Query;
  body: Body;
  request: Request;
  /** For `idempotency: "verb"`: by path, identity and JSON body; undefined without an `Idempotency-Key`. */
  ticket?: Ticket;
  /** For `idempotency: "handler"`: what makes the request the same is for the handler to say. */
  ticketFor: TicketFor;
  idempotently(fingerprint: unknown, work: () => Promise<Response>): Promise<Response>;
};

type UserRoute<P, Q, B> = RouteDeclaration<P, Q, B> & {
  scope: Scope;
  orPartner?: undefined;
  handle(input: Parsed<P, Q, B> & { caller: Caller }): Promise<Response>;
};
type SubscriberRoute<P, Q, B> = RouteDeclaration<P, Q, B> & {
  scope: Scope;
  /** A partner that names no user calls in its own name: for all its users. */
  orPartner: true;
  handle(input: Parsed<P, Q, B> & { subscriber: Subscriber }): Promise<Response>;
};
type PartnerRoute<P, Q, B> = RouteDeclaration<P, Q, B> & {
  orPartner?: undefined;
  /** A partner's own call: its token, and no user unless the handler asks for one. */
  scope: "partner";
  handle(input: Parsed<P, Q, B> & { partner: PartnerCaller }): Promise<Response>;
};

/** A route as the router sees it. */
export type Route = Omit<RouteDeclaration<unknown, unknown, unknown>, "params" | "query" | "body"> & {
  scope: Scope | "partner";
  orPartner?: true;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  answer(request: Request, params: { [name: string]: string }): Promise<Response>;
};

/** A route under the name that it has in the OpenAPI document. */
export type NamedRoute = Route & { operationId: string };

export function route<P = undefined, Q = undefined, B = undefined>(
  needs: UserRoute<P, Q, B> | SubscriberRoute<P, Q, B> | PartnerRoute<P, Q, B>,
): Route {
  return {
    ...needs,
    async answer(request, given) {
      if (needs.scope === "partner") {
        const partner = await partnerOf(request.headers);
        return answerRoute(needs, request, given, partner.id, (input) => needs.handle({ ...input, partner }));
      }
      if (needs.orPartner) {
        const subscriber = await subscriberOf(request.headers, request.method, needs.scope);
        const id = "ownerId" in subscriber ? subscriber.ownerId : subscriber.partnerId;
        return answerRoute(needs, request, given, id, (input) => needs.handle({ ...input, subscriber }));
      }
      const caller = await callerOf(request.headers, request.method, needs.scope);
      return answerRoute(needs, request, given, caller.ownerId, (input) => needs.handle({ ...input, caller }));
    },
  };
}

async function answerRoute<P, Q, B>(
  needs: RouteDeclaration<P, Q, B> & { scope: Scope | "partner" },
  request: Request,
  given: { [name: string]: string },
  ownerId: string,
  handle: (input: Parsed<P, Q, B>) => Promise<Response>,
): Promise<Response> {
  const params = needs.params ? parse(needs.params, given) : (undefined as P);
  const query = needs.query ? parse(needs.query, queryOf(request)) : (undefined as Q);
  const json = needs.body ? await readJson(request) : undefined;
  const body = needs.body ? parse(needs.body, json) : (undefined as B);
  const honoured = needs.method === "post" && needs.idempotency !== "none";
  const ticketFor: TicketFor = honoured ? ticketsFor(request, ownerId, `POST ${needs.path}`) : () => undefined;
  const byHandler = needs.idempotency === "handler";
  // A user's own key needs no name beside it: both identity headers say the same. A partner's has to tell its users apart.
  const whom = needs.scope === "partner" ? connectIdentityOf(request.headers) : [];
  const ticket = byHandler ? undefined : ticketFor([given, whom, json ?? null]);
  const input = { params, query, body, request, ticket, ticketFor };
  const work = () =>
    handle({ ...input, idempotently: (fingerprint, store) => idempotently(ticketFor(fingerprint), store) });
  try {
    return await (ticket && needs.idempotency !== "verb" ? idempotently(ticket, work, needs.isSecret) : work());
  } catch (error) {
    if (!(error instanceof AlreadyAnswered)) throw error;
    const answer = replayAnswer(error.answer, needs.isSecret && ticket);
    if (needs.isTagged) addHeaders(answer, { etag: entityTagOf(error.answer.body) });
    return answer;
  }
}

function queryOf(request: Request): { [name: string]: string } {
  const search = new URL(request.url).searchParams;
  const twice = [...search.keys()].find((name) => search.getAll(name).length > 1);
  if (twice) throw new BadRequest(`${twice} is given twice`);
  const query = Object.fromEntries(search);
  assertStorableValue(query);
  return query;
}
