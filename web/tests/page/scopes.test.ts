// A page that was signed in with a token: it shows what the scopes allow and explains the rest, and ends with the token.

import { badge, barriers, expect, start, test } from "./stand";

test.use({ expected: [/status of 401/] });

test("a page with the scope read shows runs and explains what it cannot do", async ({ app, stand }) => {
  const run = await start(app, 'Click "Order form"\nCheck that "Nothing" is shown', stand.site.url);
  await expect(badge(app)).toContainText("Rejected");
  await stand.server.signInWith(app, "guest", "read");
  await expect(app.getByRole("note")).toContainText("(token “guest”) cannot start runs");
  await expect(app.getByRole("button", { name: "Start run" })).toHaveCount(0);
  expect(await barriers(app)).toEqual([]);

  await app.goto(`/runs/${run}`);
  await expect(badge(app)).toContainText("Rejected");
  await expect(app.locator("summary", { hasText: "Export" })).toBeVisible();
  for (const name of ["Delete", "Resume"]) await expect(app.getByRole("button", { name })).toHaveCount(0);
  await app.goto("/settings");
  await expect(app.getByRole("note")).toContainText("cannot change settings");
  await expect(app.locator("#setting-decider")).toBeDisabled();
  await app.goto("/schedules");
  await expect(app.getByRole("note")).toContainText("cannot change schedules");
  await expect(app.getByRole("button", { name: "New schedule" })).toHaveCount(0);

  stand.server.revoke("guest");
  await app.goto("/runs");
  await expect(app.getByRole("heading", { name: "Sign-in required" })).toBeVisible();
});
