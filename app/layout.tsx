import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import "./globals.css";
import * as words from "@/components/words/app";

export const metadata: Metadata = {
  title: { default: words.brand, template: words.windowTitle("%s", words.brand) },
  description: words.claim,
  icons: { icon: { url: "/icon.svg", type: "image/svg+xml" } },
  robots: { index: false },
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#faf9f7" },
    { media: "(prefers-color-scheme: dark)", color: "#151412" },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body className="font-sans leading-normal antialiased">{children}</body>
    </html>
  );
}
