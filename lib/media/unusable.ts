/** Why a file cannot be used, as a sentence; `kind` tells a type that is not taken from one whose bytes are not all right. */
export class UnusableFile extends Error {
  constructor(
    readonly kind: "unsupported" | "corrupt",
    message: string,
  ) {
    super(message);
  }
}

export function corrupt(type: string, why?: string): UnusableFile {
  const detail = why ? ` (${why})` : "";
  return new UnusableFile("corrupt", `file is corrupt or incomplete${detail}: the type found is ${type}`);
}
