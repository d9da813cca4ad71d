import type { Metadata } from "next";
import { FIELD, Labelled } from "@/components/developers/fields";
import { DevelopersFrame } from "@/components/developers/frame";
import { numberIn, type Query, textIn, withQuery } from "@/components/developers/query";
import { RequestList } from "@/components/developers/request-list";
import { developerWords } from "@/components/developers/words";
import { signedIn } from "@/components/session/signed-in";
import { Button, buttonClass } from "@/components/ui/button";
import { Sentence } from "@/components/ui/sentence";
import { listRequests } from "@/lib/api";

export const metadata: Metadata = { title: developerWords.pages.requests };

const LIMIT = 50;

/** Recent API requests made on behalf of this user. */
export default async function RequestsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const user = await signedIn("/developers/requests");
  const query = await searchParams;
  const [id, failed] = [textIn(query, "id", 60).trim(), textIn(query, "failed")];
  const { items, next } = await listRequests(
    { ownerId: user.id },
    { limit: LIMIT, before: numberIn(query, "before"), requestId: id || undefined, failedOnly: failed !== "" },
  );
  const nothing = id || failed ? developerWords.pages.noSuchRequest : developerWords.pages.noRequests;
  return (
    <DevelopersFrame
      title={developerWords.pages.requests}
      here="/developers/requests"
      lead={developerWords.pages.requestsLead}
    >
      <search>
        <form className="flex flex-wrap items-end gap-4">
          <div className="min-w-0 flex-1 basis-64">
            <Labelled label={developerWords.pages.requestId}>
              <input name="id" defaultValue={id} autoComplete="off" spellCheck={false} className={FIELD} />
            </Labelled>
          </div>
          <label className="flex min-h-11 items-center gap-2">
            <input type="checkbox" name="failed" value="yes" defaultChecked={failed !== ""} className="size-5" />{" "}
            {developerWords.pages.onlyFailed}
          </label>
          <Button type="submit" look="quiet">
            {developerWords.pages.show}
          </Button>
        </form>
      </search>
      <RequestList requests={items} empty={nothing} />
      {next && (
        <a href={withQuery({ id, failed, before: next })} className={buttonClass("quiet", "justify-self-start")}>
          {developerWords.pages.older}
        </a>
      )}
      <p className="text-muted text-sm">
        <Sentence text={developerWords.pages.whatIsKept} parts={{ header: <code>X-Request-Id</code> }} />
      </p>
    </DevelopersFrame>
  );
}
