import type { z } from "zod";
import { BadRequest } from "../errors";
import type { Scope } from "../oauth";
import { parse, readJson } from "./body";
import { type Caller, callerOf, type PartnerCaller, partnerOf } from "./caller";

/**
 * A route declares its needs as data, read by the router, the scope table and the OpenAPI document alike. The order is the
 * same for all: authenticate, authorise, parse, call, present.
 */
type Needs<Params, Query, Body> = {
  method: "get" | "post" | "put" | "delete";
  /** With `{name}` where a parameter stands. */
  path: string;
  summary: string;
  params?: z.ZodType<Params>;
  query?: z.ZodType<Query>;
  /** A JSON body. Absent: the handler reads the request itself, or there is none. */
  body?: z.ZodType<Body>;
  /** What is answered when all is well. */
  answers: { [status: number]: z.ZodType | string };
};

type Parsed<Params, Query, Body> = { params: Params; query: Query; body: Body; request: Request };

type UserRoute<P, Q, B> = Needs<P, Q, B> & {
  scope: Scope;
  handle(input: Parsed<P, Q, B> & { caller: Caller }): Promise<Response>;
};
type PartnerRoute<P, Q, B> = Needs<P, Q, B> & {
  /** A partner's own call: its token, and no user unless the handler asks for one. */
  scope: "partner";
  handle(input: Parsed<P, Q, B> & { partner: PartnerCaller }): Promise<Response>;
};

/** A route as the router sees it. */
export type Route = Omit<Needs<unknown, unknown, unknown>, "params" | "query" | "body"> & {
  scope: Scope | "partner";
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  answer(request: Request, params: { [name: string]: string }): Promise<Response>;
};

export function route<P = undefined, Q = undefined, B = undefined>(
  needs: UserRoute<P, Q, B> | PartnerRoute<P, Q, B>,
): Route {
  return {
    ...needs,
    async answer(request, params) {
      if (needs.scope === "partner") {
        const partner = await partnerOf(request.headers);
        return needs.handle({ ...(await parsed(needs, request, params)), partner });
      }
      const caller = await callerOf(request.headers, request.method, needs.scope);
      return needs.handle({ ...(await parsed(needs, request, params)), caller });
    },
  };
}

async function parsed<P, Q, B>(
  needs: Needs<P, Q, B>,
  request: Request,
  given: { [name: string]: string },
): Promise<Parsed<P, Q, B>> {
  const params = needs.params ? parse(needs.params, given) : (undefined as P);
  const query = needs.query ? parse(needs.query, queryOf(request)) : (undefined as Q);
  const body = needs.body ? parse(needs.body, await readJson(request)) : (undefined as B);
  return { params, query, body, request };
}

function queryOf(request: Request): { [name: string]: string } {
  const search = new URL(request.url).searchParams;
  const twice = [...search.keys()].find((name) => search.getAll(name).length > 1);
  if (twice) throw new BadRequest(`${twice} is given twice`);
  return Object.fromEntries(search);
}
