import { TooLarge } from "../errors";

/** 100 MB for every kind of upload (SPEC, "Limits"). */
export const MAX_BYTES = 100 * 1_048_576;

/** The error for a file above the maximum. */
export const fileTooLarge = () => new TooLarge("file", "100 MB");

/** Why a file cannot be used, as a sentence. `kind` distinguishes an unsupported type from corrupt content. */
export class UnusableFile extends Error {
  constructor(
    readonly kind: "unsupported" | "corrupt",
    message: string,
  ) {
    super(message);
  }
}

export function corruptFile(type: string, why?: string): UnusableFile {
  const detail = why ? ` (${why})` : "";
  return new UnusableFile("corrupt", `file is corrupt or incomplete${detail}: the type found is ${type}`);
}
