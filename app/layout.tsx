import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import "./globals.css";
import { THEME_COOKIE, themeIn } from "@/components/shell/preferences";
import { uiWords } from "@/components/ui/words";

export const metadata: Metadata = {
  title: { default: uiWords.brand, template: uiWords.windowTitle("%s", uiWords.brand) },
  description: uiWords.claim,
  icons: { icon: { url: "/icon.svg", type: "image/svg+xml" } },
  robots: { index: false },
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fffefb" },
    { media: "(prefers-color-scheme: dark)", color: "#121c1a" },
  ],
};

/**
 * Latin-1 of two faces (SIL Open Font License, see public/fonts). Text in other scripts uses the system's face. A face that arrives
 * late is used from the next page on: `optional`, because a swap would move the page on devices without Arial, whose measures the
 * fallback has.
 */
const textFace = localFont({
  src: "../public/fonts/instrument.woff2",
  weight: "400 700",
  display: "optional",
  variable: "--face-text",
  fallback: ["system-ui", "sans-serif"],
});
const displayFace = localFont({
  src: "../public/fonts/bricolage.woff2",
  weight: "700",
  display: "optional",
  variable: "--face-display",
  fallback: ["system-ui", "sans-serif"],
});

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = themeIn((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html lang="en" data-theme={theme} className={`${textFace.variable} ${displayFace.variable}`}>
      <body className="font-sans leading-normal antialiased">{children}</body>
    </html>
  );
}
