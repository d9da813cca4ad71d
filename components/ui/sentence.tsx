import { Fragment, type ReactNode } from "react";

/** The names of the gaps of a text: `"a" | "b"` for `"one {a} and {b}"`. */
export type Gaps<Text extends string> = Text extends `${string}{${infer Gap}}${infer Rest}` ? Gap | Gaps<Rest> : never;

type SentenceProps<Text extends string> = { text: Text; parts: { [gap in Gaps<Text>]: ReactNode } };

/** Fills the gaps of a text, such as `{link}`, with elements from `parts`. */
export function Sentence<Text extends string>({ text, parts }: SentenceProps<Text>) {
  const filled: { [gap: string]: ReactNode } = parts;
  return text.split(/\{(\w+)\}/).map((piece, index) => (
    // The pieces of one text never change their order.
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no other identity
    <Fragment key={index}>{index % 2 === 0 ? piece : filled[piece]}</Fragment>
  ));
}

/** A text with a handle such as `@alice.bsky.social`. A line breaks before the dots of a long one, not inside its words. */
export function Handle({ children }: { children: string }) {
  return children.split(/(?=\.)/).map((piece, index) => (
    // The pieces of one text never change their order.
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no other identity
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
}
