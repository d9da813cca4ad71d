import type { ComponentProps } from "react";

const base =
  "inline-flex min-h-11 items-center justify-center gap-2 rounded-lg border px-4 py-2 text-center font-semibold no-underline transition-colors";

const looks = {
  primary: "border-accent bg-accent text-on-accent hover:brightness-110",
  quiet: "border-edge bg-transparent text-ink hover:bg-sunk",
  danger: "border-wrong bg-transparent text-wrong hover:bg-wrong-soft",
  bare: "border-transparent bg-transparent text-ink hover:bg-sunk",
};

type Look = keyof typeof looks;

/** The classes of a button, for links that look like one. */
export function buttonClass(look: Look = "primary", more = ""): string {
  return `${base} ${looks[look]} ${more}`;
}

type Props = ComponentProps<"button"> & { look?: Look };

/** Disabled with `aria-disabled`, so that it stays focusable and can explain why. */
export function Button({ look = "primary", className = "", type = "button", ...rest }: Props) {
  const off = rest["aria-disabled"] ? "cursor-not-allowed border-edge bg-sunk text-muted hover:bg-sunk" : looks[look];
  return <button type={type} className={`${base} ${off} ${className}`} {...rest} />;
}
