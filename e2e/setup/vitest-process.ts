// Vitest puts the base path of its own bundler, "/", into BASE_URL of every test process; ours is an address.
process.env.BASE_URL = `http://localhost:${process.env.PORT}`;
