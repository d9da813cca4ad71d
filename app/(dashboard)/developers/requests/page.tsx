import type { Metadata } from "next";
import { FIELD, Labelled } from "@/components/developers/fields";
import { DevelopersFrame } from "@/components/developers/frame";
import { numberIn, type Query, textIn, withQuery } from "@/components/developers/query";
import { RequestList } from "@/components/developers/request-list";
import { signedIn } from "@/components/session/signed-in";
import { Button, buttonClass } from "@/components/ui/button";
import { Sentence } from "@/components/ui/sentence";
import * as words from "@/components/words/app-developers";
import { listRequests } from "@/lib/api";

export const metadata: Metadata = { title: words.requests };

const LIMIT = 50;

/** What programs asked of the API in this person's name lately. */
export default async function RequestsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const user = await signedIn("/developers/requests");
  const query = await searchParams;
  const [id, failed] = [textIn(query, "id", 60).trim(), textIn(query, "failed")];
  const { items, next } = await listRequests(
    { ownerId: user.id },
    { limit: LIMIT, before: numberIn(query, "before"), requestId: id || undefined, failedOnly: failed !== "" },
  );
  const nothing = id || failed ? words.noSuchRequest : words.noRequests;
  return (
    <DevelopersFrame title={words.requests} here="/developers/requests" lead={words.requestsLead}>
      <search>
        <form className="flex flex-wrap items-end gap-4">
          <div className="min-w-0 flex-1 basis-64">
            <Labelled label={words.requestId}>
              <input name="id" defaultValue={id} autoComplete="off" spellCheck={false} className={FIELD} />
            </Labelled>
          </div>
          <label className="flex min-h-11 items-center gap-2">
            <input type="checkbox" name="failed" value="yes" defaultChecked={failed !== ""} className="size-5" />{" "}
            {words.onlyFailed}
          </label>
          <Button type="submit" look="quiet">
            {words.show}
          </Button>
        </form>
      </search>
      <RequestList requests={items} empty={nothing} />
      {next && (
        <a href={withQuery({ id, failed, before: next })} className={buttonClass("quiet", "justify-self-start")}>
          {words.older}
        </a>
      )}
      <p className="text-muted text-sm">
        <Sentence text={words.whatIsKept} parts={{ header: <code>X-Request-Id</code> }} />
      </p>
    </DevelopersFrame>
  );
}
