import type { z } from "zod";

/** What a mail says, before it is put into its two forms. Texts are plain; `escape` and encoding happen in the forms. */
export type Content = {
  /** One line; whatever would break it is taken out when it is sent. */
  subject: string;
  heading: string;
  paragraphs: string[];
  /** What it is about, one by one: a name, what became of it, where to see it. */
  items?: { name: string; says: string; href?: string }[];
  button: { label: string; href: string };
  /** Why this came, and what to do where it was not expected. */
  closing: string;
};

/** A link in a mail that does something by itself: where it leads, and for how long it works. */
export type TokenLink = { path: string; seconds: number };

type Definition<F> = {
  /** What `queueMail` is told; the only state that a mail carries. */
  facts: z.ZodType<F>;
  /** How the preferences call it. Absent: a mail that somebody asked for, which has no preference and no way to unsubscribe. */
  notice?: { label: string; hint: string };
  token?: TokenLink;
  /** @param link where the button leads: the token's address where there is one */
  write(facts: F, link: string): Content;
};

/** One kind of mail. `content` reads the facts as they were stored. */
export type Kind<F> = Omit<Definition<F>, "write"> & { content(stored: unknown, link: string): Content };

export function defineKind<F>({ write, ...rest }: Definition<F>): Kind<F> {
  return { ...rest, content: (stored, link) => write(rest.facts.parse(stored), link) };
}
