import { Button } from "../ui/button";
import { consoleWords } from "./words";

/** Looks for one thing in the list below. */
export function SearchForm({ label, name, value }: { label: string; name: string; value: string }) {
  return (
    <search>
      <form className="flex max-w-xl flex-wrap items-end gap-3">
        <label className="grid flex-1 basis-56 gap-1">
          {label}
          <input
            name={name}
            defaultValue={value}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="min-h-11 rounded-lg border border-edge bg-surface px-3"
          />
        </label>
        <Button type="submit" look="quiet">
          {consoleWords.find}
        </Button>
      </form>
    </search>
  );
}
