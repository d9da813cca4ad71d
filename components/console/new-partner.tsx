import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { consoleWords } from "./words";

/** Staff's form for a new partner; its answer shows the credential, once. */
export function NewPartner() {
  return (
    <Card className="max-w-xl">
      <h2 className="font-semibold">{consoleWords.newPartner}</h2>
      <form method="post" action="/console/new" className="mt-3 flex flex-wrap items-end gap-3">
        <label className="grid flex-1 basis-56 gap-1">
          {consoleWords.name}
          <input
            name="name"
            required
            maxLength={200}
            autoComplete="off"
            className="min-h-11 rounded-lg border border-edge bg-surface px-3"
          />
        </label>
        <Button type="submit">{consoleWords.create}</Button>
      </form>
    </Card>
  );
}
