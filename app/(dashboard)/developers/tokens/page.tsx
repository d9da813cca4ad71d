import type { Metadata } from "next";
import { utc } from "@/components/console/table";
import { Hidden } from "@/components/developers/fields";
import { TokenForm } from "@/components/developers/forms";
import { DevelopersFrame } from "@/components/developers/frame";
import { type Query, textIn } from "@/components/developers/query";
import { developerWords } from "@/components/developers/words";
import { signedIn } from "@/components/session/signed-in";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { scopeDescriptions } from "@/lib/api";
import { listPersonalTokens, type PersonalToken, tokenDays } from "@/lib/oauth";

export const metadata: Metadata = { title: developerWords.pages.tokens };

/** The user's personal tokens, and a form for a new one. */
export default async function TokensPage({ searchParams }: { searchParams: Promise<Query> }) {
  const user = await signedIn("/developers/tokens");
  const [tokens, query] = [await listPersonalTokens(user.id), await searchParams];
  const problem = textIn(query, "problem");
  const scopes = Object.entries(scopeDescriptions).map(([scope, what]) => ({ scope, what }));
  return (
    <DevelopersFrame
      title={developerWords.pages.tokens}
      here="/developers/tokens"
      lead={developerWords.pages.tokensLead}
      isSplit
    >
      <section aria-label={developerWords.pages.yourTokens} className="grid gap-3">
        {tokens.length === 0 && <p className="text-muted">{developerWords.pages.none}</p>}
        {tokens.map((token) => (
          <Token key={token.id} token={token} />
        ))}
      </section>
      <section aria-labelledby="new" className="grid gap-3">
        <h2 id="new" className="font-semibold text-lg">
          {developerWords.pages.newToken}
        </h2>
        {problem && <Notice tone="wrong">{problem}</Notice>}
        <Card>
          <TokenForm name={textIn(query, "name")} scopes={scopes} days={tokenDays} />
        </Card>
      </section>
    </DevelopersFrame>
  );
}

function Token({
  token: { id, name = developerWords.pages.fromCommandLine, scopes, createdAt, expiresAt, lastUsedAt },
}: {
  token: PersonalToken;
}) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="font-medium">{name}</h2>
        <p className="text-muted text-sm">
          <code>{scopes.join(" ")}</code>
        </p>
        <p className="text-muted text-sm">
          {expiresAt
            ? developerWords.pages.madeAndEnds(utc(createdAt), utc(expiresAt))
            : developerWords.pages.made(utc(createdAt))}
          {" · "}
          {lastUsedAt ? developerWords.pages.lastUsed(utc(lastUsedAt)) : developerWords.pages.neverUsed}
        </p>
      </div>
      <form method="post" action="/developers/do/revoke-token">
        <Hidden values={{ token: id }} />
        <Button type="submit" look="danger" aria-label={developerWords.pages.revokeToken(name)}>
          {developerWords.pages.revoke}
        </Button>
      </form>
    </Card>
  );
}
