// vitest puts Vite's own BASE_URL ("/") into each test process, over ours.
process.env.BASE_URL = `http://localhost:${process.env.PORT}`;
