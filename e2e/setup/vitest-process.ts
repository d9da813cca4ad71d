// Vitest sets BASE_URL to its bundler's base path "/" in every test process; the product expects an address.
process.env.BASE_URL = `http://localhost:${process.env.PORT}`;
