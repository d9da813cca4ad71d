import { Button } from "../ui/button";
import { FIELD, Hidden, Labelled } from "./fields";
import { developerWords } from "./words";

type Props = {
  /** Of an application that is there; absent for a new one. */
  client?: string;
  name: string;
  /** One on each line. */
  redirectUris: string;
};

/** What people are asked to allow in, and where they come back to; of a new one also whether it can keep a secret. */
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
