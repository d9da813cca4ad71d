import type { z } from "zod";
import { AlreadyAnswered, type Ticket } from "../db/idempotency";
import { assertStorableValue } from "../db/statement";
import { BadRequest } from "../errors";
import { addHeaders } from "../http/json";
import { repeatedName } from "../http/request-target";
import type { Scope } from "../oauth";
import { scheduleTag } from "../schedules";
import { assertFreshSession } from "../users";
import type { Subscriber } from "../webhooks";
import { parse, readJson, readOptionalJson } from "./body";
import {
  assertFreshIfSession,
  assertNotLockedOut,
  type Caller,
  callerOf,
  connectUserId,
  type PartnerCaller,
  partnerOf,
  subscriberOf,
} from "./caller";
import { idempotently, replayAnswer, type TicketFor, ticketsFor } from "./idempotency";

/**
 * A route declares its needs as data. The router, the scope table and the OpenAPI document all read it. Every route runs in
 * the same order: authenticate, authorise, parse, call, present.
 */
type RouteDeclaration<Params, Query, Body> = {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** With `{name}` for a parameter. */
  path: string;
  summary: string;
  /** What callers need to know, in Markdown, at most three lines. Absent if the summary says everything. */
  description?: string;
  params?: z.ZodType<Params>;
  query?: z.ZodType<Query>;
  /** A JSON body. Absent if the handler reads the request itself, or there is no body. */
  body?: z.ZodType<Body>;
  /** A missing body counts as `{}`. */
  isBodyOptional?: true;
  /** The possible shapes of the body, if `body` accepts all of them and the handler distinguishes them. */
  bodies?: z.ZodType[];
  /** The parts of a multipart body, which the handler reads itself. */
  multipart?: z.ZodType;
  /** A body of text/csv, which the handler reads itself. */
  csv?: z.ZodType;
  /** The headers it reads in addition to those of every route. */
  headers?: z.ZodType;
  /** A partner's own call that also names a user. */
  forUser?: true;
  /**
   * How a POST supports an `Idempotency-Key`. Absent: by its JSON body, without help from the handler. `handler`: the
   * handler reads the body and then calls `idempotently`, or passes a ticket to its verb. `verb`: its verb takes the ticket
   * and stores the answer with the data. `none`: it changes nothing.
   */
  idempotency?: "handler" | "verb" | "none";
  /** It can make something public on a network, at once or at a later time. */
  publishes?: true;
  /** The answer contains a secret that is shown only once. The copy stored for repeated requests is sealed. */
  isSecret?: true;
  /** A call of the dashboard needs a person who signed in within the last minutes. Tokens need nothing more. */
  needsFreshSession?: true;
  /** The answer shows one object and carries its `ETag`. A replayed answer carries the `ETag` of the first one. */
  hasEtag?: true;
  /** The successful answers. */
  answers: { [status: number]: z.ZodType | string };
  /** The media type of these answers, if it is not JSON. */
  answerType?: string;
  /** The route's own errors. Errors that follow from its declaration are added in `openapi/error-responses.ts`. */
  errorResponses?: ErrorResponse[];
  /** Requests with their answers, as shown in the reference. A test checks them against the schemas above. */
  examples: [Example, ...Example[]];
};

export type ErrorResponse = { status: number; when: string; error: string };

export type Example = {
  /** Distinguishes several examples. */
  title?: string;
  params?: { [name: string]: string };
  query?: { [name: string]: string };
  headers?: { [name: string]: string };
  /** For a multipart body, the file names by part. */
  body?: unknown;
  answer?: unknown;
  /** The status of the answer, if the route has answers of several shapes. */
  status?: number;
};

type Parsed<Params, Query, Body> = {
  params: Params;
  query: Query;
  body: Body;
  request: Request;
  /** For `idempotency: "verb"`: by path and JSON body; undefined without an `Idempotency-Key`. */
  ticket?: Ticket;
  /** For `idempotency: "handler"`: the handler decides what makes two requests the same. */
  ticketFor: TicketFor;
  idempotently(fingerprint: unknown, work: () => Promise<Response>): Promise<Response>;
};

type UserRoute<P, Q, B> = RouteDeclaration<P, Q, B> & {
  scope: Scope;
  orPartner?: undefined;
  /** A token that has only `posts.propose` can call it too. The handler must limit what `caller.proposer` can do. */
  orProposer?: true;
  handle(input: Parsed<P, Q, B> & { caller: Caller }): Promise<Response>;
};
type SubscriberRoute<P, Q, B> = RouteDeclaration<P, Q, B> & {
  scope: Scope;
  orProposer?: undefined;
  /** A partner that names no user calls in its own name, for all its users. */
  orPartner: true;
  /** The list of webhooks in a partner's page may call too, with the token of its frame (ADR 50). */
  orFrame?: true;
  handle(input: Parsed<P, Q, B> & { subscriber: Subscriber }): Promise<Response>;
};
type PartnerRoute<P, Q, B> = RouteDeclaration<P, Q, B> & {
  orPartner?: undefined;
  orProposer?: undefined;
  /** A partner's own call. It has no user unless the handler asks for one. */
  scope: "partner";
  handle(input: Parsed<P, Q, B> & { partner: PartnerCaller }): Promise<Response>;
};

/** A route as the router sees it. */
export type Route = Omit<RouteDeclaration<unknown, unknown, unknown>, "params" | "query" | "body"> & {
  scope: Scope | "partner";
  orPartner?: true;
  orProposer?: true;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  answer(request: Request, params: { [name: string]: string }): Promise<Response>;
};

/** A route with its name in the OpenAPI document. */
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
        const subscriber = await subscriberOf(request.headers, request.method, needs);
        if (needs.needsFreshSession) await assertFreshIfSession(request.headers);
        const id = "ownerId" in subscriber ? subscriber.ownerId : subscriber.partnerId;
        return answerRoute(needs, request, given, id, (input) => needs.handle({ ...input, subscriber }));
      }
      const caller = await callerOf(request.headers, request.method, needs.scope, { orProposer: needs.orProposer });
      if (needs.needsFreshSession && caller.session) assertFreshSession(caller.session);
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
  const json = needs.body ? await (needs.isBodyOptional ? readOptionalJson : readJson)(request) : undefined;
  if (needs.body) await assertNotLockedOut(request.headers);
  const body = needs.body ? parse(needs.body, json) : (undefined as B);
  const hasKey = request.headers.has("idempotency-key") && needs.method === "post" && needs.idempotency !== "none";
  // The key of a partner's call for a user belongs to that user, whichever header names them.
  const keyOwnerId = hasKey && needs.forUser ? await connectUserId(ownerId, request.headers) : ownerId;
  const ticketFor: TicketFor = hasKey ? ticketsFor(request, keyOwnerId, `POST ${needs.path}`) : () => undefined;
  const byHandler = needs.idempotency === "handler";
  // The empty list is in the stored hashes of earlier releases.
  const ticket = byHandler ? undefined : ticketFor([given, [], json ?? null]);
  const input = { params, query, body, request, ticket, ticketFor };
  const work = () =>
    handle({ ...input, idempotently: (fingerprint, store) => idempotently(ticketFor(fingerprint), store) });
  try {
    return await (ticket && needs.idempotency !== "verb" ? idempotently(ticket, work, needs.isSecret) : work());
  } catch (error) {
    if (!(error instanceof AlreadyAnswered)) throw error;
    const answer = replayAnswer(error.answer, needs.isSecret && ticket);
    if (needs.hasEtag) addHeaders(answer, { etag: scheduleTag(error.answer.body) });
    return answer;
  }
}

function queryOf(request: Request): { [name: string]: string } {
  const search = new URL(request.url).searchParams;
  const twice = repeatedName(search);
  if (twice !== undefined) throw new BadRequest(`${twice || "A parameter without a name"} is given twice`);
  const query = Object.fromEntries(search);
  assertStorableValue(query);
  return query;
}
