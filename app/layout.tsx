import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import "./globals.css";
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
