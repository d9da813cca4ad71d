import { z } from "zod";
import { PlatformError } from "../errors";
import { idSchema, readAnswer } from "../json";
import type { Destination, Session } from "../network";
import { type Caller, get, personOf } from "./graph";

const PAGE_SIZE = "100";
/** Far more Pages than anybody manages; a cursor that never ends is a fault. */
const MOST_ROUNDS = 50;
const MAY_POST = ["CREATE_CONTENT", "PROFILE_PLUS_CREATE_CONTENT"];

const listSchema = z.object({
  data: z.array(z.object({ id: idSchema, name: z.string(), tasks: z.array(z.string()).optional() })),
  paging: z.object({ next: z.string().optional(), cursors: z.object({ after: z.string() }).optional() }).optional(),
});

/** developers.facebook.com/documentation/facebook-login/guides/access-tokens: the Pages that the person may post to. */
export async function listPages(session: Session): Promise<Destination[]> {
  const pages: Destination[] = [];
  let after: string | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const fields = { fields: "id,name,tasks", limit: PAGE_SIZE, after };
    const answer = await readAnswer("Facebook", listSchema, await get(personOf(session), "/me/accounts", fields));
    const open = answer.data.filter(({ tasks }) => tasks?.some((task) => MAY_POST.includes(task)));
    pages.push(...open.map(({ id, name }) => ({ id, title: name, type: "PAGE" })));
    after = answer.paging?.next ? answer.paging.cursors?.after : undefined;
    if (!after) break;
  }
  return pages;
}

const pageSchema = z.object({ access_token: z.string().optional() });

/**
 * A Page's own token, asked for at each attempt: it is a credential, and no publication's memory is a place for one.
 * @throws PlatformError `rejected` where the Page is not the person's any more
 */
export async function pageCaller(session: Session, pageId: string | undefined): Promise<Caller> {
  if (!pageId) throw new PlatformError("rejected", "A Facebook post needs a Page");
  const person = personOf(session);
  const answer = await get(person, `/${pageId}`, { fields: "access_token" }).catch((error: unknown) => {
    throw error instanceof PlatformError && error.answer?.code === "100/33" ? gone(error) : error;
  });
  const { access_token: token } = await readAnswer("Facebook", pageSchema, answer);
  if (!token) throw gone();
  return { ...person, token };
}

function gone(error?: PlatformError): PlatformError {
  const says =
    "This account may no longer post to this Page. Ask the Page's owner for the right, or choose another Page";
  return new PlatformError("rejected", says, { answer: error?.answer });
}
