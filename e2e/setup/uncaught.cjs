// Loaded into a process of the product: writes uncaught errors to a file and prints two lines on SIGUSR2.
const { appendFileSync } = require("node:fs");

process.on("uncaughtExceptionMonitor", (error) => appendFileSync(process.env.UNCAUGHT_FILE, `${error.stack}\n`));
process.on("SIGUSR2", () => {
  console.log("One line");
  console.log("Another line");
});
