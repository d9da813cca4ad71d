import type { LiveSecret } from "@/lib/oauth";
import { Table, utc } from "../console/table";
import { Button } from "../ui/button";
import { FIELD, Hidden, Labelled } from "./fields";
import { developerWords } from "./words";

type Props = {
  /** The client ID of an existing application; undefined for a new one. */
  client?: string;
  name: string;
  /** One per line. */
  redirectUris: string;
};

/** The name and redirect URIs of an application; for a new one also whether it can keep a secret. */
export function ApplicationForm({ client, name, redirectUris }: Props) {
  return (
    <form method="post" action={`/developers/do/${client ? "change" : "create"}-application`} className="grid gap-4">
      {client && <Hidden values={{ client }} />}
      <Labelled label={developerWords.name} hint={developerWords.nameHint}>
        <input name="name" defaultValue={name} required maxLength={100} autoComplete="off" className={FIELD} />
      </Labelled>
      <Labelled label={developerWords.comeBackTo} hint={developerWords.comeBackToHint}>
        <textarea
          name="redirectUris"
          defaultValue={redirectUris}
          required
          rows={3}
          spellCheck={false}
          placeholder="https://planner.example/callback"
          className={`${FIELD} py-2 font-mono text-sm`}
        />
      </Labelled>
      {!client && (
        <label className="flex min-h-11 items-start gap-3">
          <input type="checkbox" name="isPublic" className="mt-1 size-5 shrink-0" />
          <span>
            {developerWords.isPublic}
            <span className="block text-muted text-sm">{developerWords.isPublicHint}</span>
          </span>
        </label>
      )}
      <Button type="submit" className="justify-self-start">
        {client ? developerWords.save : developerWords.createApplication}
      </Button>
    </form>
  );
}

type TokenFormProps = { name: string; scopes: { scope: string; what: string }[]; days: readonly number[] };

/** Creates a token with a name, scopes and a lifetime. */
export function TokenForm({ name, scopes, days }: TokenFormProps) {
  return (
    <form method="post" action="/developers/do/create-token" className="grid gap-5">
      <Labelled label={developerWords.purpose} hint={developerWords.purposeHint}>
        <input name="name" defaultValue={name} required maxLength={100} autoComplete="off" className={FIELD} />
      </Labelled>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium">{developerWords.scopes}</legend>
        {scopes.map(({ scope, what }) => (
          <label key={scope} className="flex min-h-11 items-start gap-3">
            <input type="checkbox" name="scope" value={scope} className="mt-1 size-5 shrink-0" />
            <span>
              {what}
              <code className="block text-muted text-sm">{scope}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <Labelled label={developerWords.lifetime}>
        <select name="days" defaultValue="30" className={FIELD}>
          {days.map((count) => (
            <option key={count} value={count}>
              {developerWords.days(count)}
            </option>
          ))}
        </select>
      </Labelled>
      <Button type="submit" className="justify-self-start">
        {developerWords.createToken}
      </Button>
    </form>
  );
}

/** Lists the valid secrets, and adds a new one. */
export function ApplicationSecrets({ client, secrets }: { client: string; secrets: LiveSecret[] }) {
  const rows = secrets.map(({ id, createdAt, until }) => ({
    key: String(id),
    cells: [utc(createdAt), until ? developerWords.until(utc(until)) : developerWords.inUse],
  }));
  return (
    <section aria-labelledby="secrets" className="grid gap-3">
      <h2 id="secrets" className="font-semibold text-lg">
        {developerWords.secrets}
      </h2>
      <Table
        caption={developerWords.secrets}
        head={developerWords.secretsHead}
        rows={rows}
        empty={developerWords.noSecret}
      />
      <p className="text-muted text-sm">{developerWords.secretsHow}</p>
      <div className="flex flex-wrap gap-3">
        <form method="post" action="/developers/do/rotate">
          <Hidden values={{ client }} />
          <Button type="submit" look="quiet">
            {developerWords.newSecret}
          </Button>
        </form>
        {secrets.some(({ until }) => until) && (
          <form method="post" action="/developers/do/end-old">
            <Hidden values={{ client }} />
            <Button type="submit" look="danger">
              {developerWords.endOldSecret}
            </Button>
          </form>
        )}
      </div>
    </section>
  );
}
