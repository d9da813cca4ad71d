/**
 * Reads all settings, as the service will, before anything long begins; says what is wrong with each wrong one and ends.
 */
export async function checkSettings() {
  try {
    await import("../dist/env.js");
  } catch (error) {
    if (error?.name !== "SettingsError") throw error;
    console.error("Carillon cannot start with these settings:");
    for (const problem of error.problems) console.error(`  ✗ ${problem}`);
    process.exit(1);
  }
}

/** Ends the process over an error: one line for what a person can mend, everything for the rest. */
export function failWith(error) {
  const mendable = error?.name === "DataDirInUse" || error?.code === "EADDRINUSE";
  if (error?.code === "EADDRINUSE") {
    console.error(`Port ${error.port} is in use. Stop what uses it, or set PORT (or SANDBOX_PORT) to another.`);
  } else {
    console.error(mendable ? error.message : error);
  }
  process.exit(1);
}
