import type { Metadata } from "next";
import { FIELD, Labelled } from "@/components/developers/fields";
import { DevelopersFrame } from "@/components/developers/frame";
import { numberIn, type Query, textIn, withQuery } from "@/components/developers/query";
import { RequestList } from "@/components/developers/request-list";
import { signedIn } from "@/components/session/signed-in";
import { Button, buttonClass } from "@/components/ui/button";
import { listRequests } from "@/lib/api";

export const metadata: Metadata = { title: "Requests" };

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
  const lead = "What was asked in your name with tokens and by applications, kept for seven days.";
  const nothing =
    id || failed ? "No such request in the last seven days." : "Nothing yet: make a token and call the API.";
  return (
    <DevelopersFrame title="Requests" here="/developers/requests" lead={lead}>
      <search>
        <form className="flex flex-wrap items-end gap-4">
          <div className="min-w-0 flex-1 basis-64">
            <Labelled label="Request id">
              <input name="id" defaultValue={id} autoComplete="off" spellCheck={false} className={FIELD} />
            </Labelled>
          </div>
          <label className="flex min-h-11 items-center gap-2">
            <input type="checkbox" name="failed" value="yes" defaultChecked={failed !== ""} className="size-5" /> Only
            what was refused or failed
          </label>
          <Button type="submit" look="quiet">
            Show
          </Button>
        </form>
      </search>
      <RequestList requests={items} empty={nothing} />
      {next && (
        <a href={withQuery({ id, failed, before: next })} className={buttonClass("quiet", "justify-self-start")}>
          Show older ones
        </a>
      )}
      <p className="text-muted text-sm">
        No bodies, no tokens, and of a query only the names. Every answer brings its id as <code>X-Request-Id</code>. In
        bursts of more than 25 requests a second not each one is kept; those that failed come first. It can take a few
        seconds until a request is here.
      </p>
    </DevelopersFrame>
  );
}
