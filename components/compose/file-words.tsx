import { AltText } from "../library/alt-text";
import { altTextId, altTextLimitOf } from "./alt-text-limit";
import { Counter } from "./counter";
import { countOf, type Target } from "./targets";
import type { Upload } from "./use-uploads";

type Props = { file: Upload; targets: Target[] };

/** What a file shows, in words, with their length by the tightest limit of the chosen accounts; once the file is there. */
export function FileWords({ file, targets }: Props) {
  const { id, name, path } = file;
  if (!path) return null;
  const limit = altTextLimitOf(file, targets);
  const count = limit && ((text: string) => <Counter count={countOf(limit, text)} />);
  return <AltText path={path} name={name} id={altTextId(id)} count={count} />;
}
