import { TooLarge } from "../errors";

/** 100 MB, on every way in (SPEC, "Limits"). */
export const MAX_BYTES = 100 * 1_048_576;

/** The refusal that names the maximum. */
export const fileTooLarge = () => new TooLarge("file", "100 MB");

/** Why a file cannot be used, as a sentence; `kind` tells a type that is not taken from one whose bytes are not all right. */
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
