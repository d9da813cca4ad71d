/** Next runs this at its start. If Next runs without our web process around it, the database is opened here. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || process.env.NEXT_PHASE === "phase-production-build") return;
  const { setNextAuthUrl } = await import("./lib/http/next-auth-url");
  setNextAuthUrl();
  const { openData } = await import("./lib/db/open");
  await openData("worker");
}
