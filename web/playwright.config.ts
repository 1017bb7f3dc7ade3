// Two projects: `unit` (pure functions, no browser) and `page` (the real `legwork serve` in a real Chromium).
// Two workers, each with its own server, model and site: a test often waits for a page that has settled or for a run, while the other
// one computes.
import { existsSync } from "node:fs";
import { defineConfig, devices } from "@playwright/test";

const system = ["/usr/lib/chromium/chromium", "/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
const executablePath = process.env.LEGWORK_TEST_BROWSER ?? system;
const root = process.getuid?.() === 0;

export default defineConfig({
  testDir: "tests",
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  // How long a test may take before it is given up. No test passes or fails by them: a busy machine takes its time.
  timeout: 480_000,
  expect: { timeout: 120_000 },
  reporter: [["list"]],
  projects: [
    { name: "unit", testMatch: "unit/**/*.test.ts" },
    {
      name: "page",
      testMatch: "page/**/*.test.ts",
      use: {
        ...devices["Desktop Chrome"],
        trace: "retain-on-failure",
        launchOptions: { executablePath, args: root ? ["--no-sandbox"] : [] },
      },
    },
  ],
});
