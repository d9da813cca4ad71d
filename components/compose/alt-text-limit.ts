import type { TextLimit } from "@/lib/networks/limits";
import type { Target } from "./targets";
import type { Upload } from "./use-uploads";

/** Where the words of a file are written. */
export const altTextId = (fileId: string) => `alt-${fileId}`;

/** The tightest limit that the chosen accounts have for a file's words; a Pin with words of its own is not sent the file's. */
export function altTextLimitOf({ id, kind }: Pick<Upload, "id" | "kind">, targets: Target[]): TextLimit | undefined {
  const limits = targets.flatMap(({ posts, settings }) =>
    settings.altText ? [] : posts.filter(({ files }) => files.some((file) => file.id === id)),
  );
  return limits
    .flatMap((post) => post.limits?.[kind]?.altText ?? [])
    .reduce<TextLimit | undefined>((least, one) => (least && least.max <= one.max ? least : one), undefined);
}
