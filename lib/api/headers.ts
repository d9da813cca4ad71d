import { BadRequest } from "../errors";

/** Headers that say one thing: who calls, for whom, and which request it is. */
const SINGLE = ["Authorization", "x-api-key", "X-Connect-User-Id", "X-Connect-External-User-Id", "Idempotency-Key"];

type Surroundings = { incoming?: { rawHeaders?: string[] } } | undefined;

/**
 * Refuses a request that gives one of these headers twice. Node joins the values with a comma, or keeps the first
 * (`http.IncomingMessage.headers`), and an external id may hold a comma itself, so only the headers as they were sent tell.
 * Where the host does not show those (Next alone), a joined value counts as one: it names nobody, unless a user of this very
 * partner is called so; a uuid holds no comma, so there two are told.
 * @throws BadRequest `X-Connect-User-Id is given twice`
 */
export function assertSingleHeaders(headers: Headers, surroundings: unknown): void {
  const raw = (surroundings as Surroundings)?.incoming?.rawHeaders;
  const sent = raw?.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const twice = SINGLE.filter((name) =>
    sent
      ? sent.indexOf(name.toLowerCase()) !== sent.lastIndexOf(name.toLowerCase())
      : name === "X-Connect-User-Id" && headers.get(name)?.includes(","),
  );
  if (twice.length > 0) throw new BadRequest(...twice.map((name) => `${name} is given twice`));
}
