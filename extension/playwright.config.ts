// Three projects: `unit` (pure functions, no browser), `page` (the extension in a real Chromium, with the real program) and
// `bench` (a measurement).
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests",
  // Each page test starts a browser and a server of its own, and runs have time limits.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  projects: [
    { name: "unit", testMatch: "unit/**/*.test.ts" },
    { name: "page", testMatch: "page/**/*.test.ts" },
    { name: "bench", testMatch: "bench/**/*.test.ts" },
  ],
});
