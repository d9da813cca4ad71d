import { Button } from "../ui/button";
import { FIELD, Labelled } from "./fields";
import { developerWords } from "./words";

type Props = { name: string; scopes: { scope: string; what: string }[]; days: readonly number[] };

/** A new token: what for, what it may do, how long. */
export function TokenForm({ name, scopes, days }: Props) {
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
