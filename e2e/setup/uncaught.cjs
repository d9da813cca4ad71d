// Required into a process of the product: what nobody caught there is written down, and it prints when it is asked to.
const { appendFileSync } = require("node:fs");

process.on("uncaughtExceptionMonitor", (error) => appendFileSync(process.env.UNCAUGHT_FILE, `${error.stack}\n`));
process.on("SIGUSR2", () => {
  console.log("One line");
  console.log("Another line");
});
