// Runs in the page's main world before the page's own scripts. It counts the tasks that the page has scheduled since
// the last action (timers, frames, idle callbacks), so that settling can wait for exactly these, and it makes closed
// shadow roots readable. It responds only to events whose random name no page knows.
//
// Only tasks that the action caused are counted: callbacks that were scheduled since the action began, by code that is
// not itself an earlier callback. A page that polls forever therefore settles. Chains of callbacks are followed for a
// limited time.

// The order matters: of several wrappers around a function, the last one is called first.
import "./saves";
import { endTask } from "./task-tracker/causes";
import "./task-tracker/timers";
import "./task-tracker/activity";
import "./task-tracker/responses";
import "./task-tracker/messages";
import "./task-tracker/answers";
import { countDownloads, forgetOpened, leavesPage } from "./task-tracker/windows";
import "./task-tracker/shadow-roots";
import "./task-tracker/click-listeners";
import "./task-tracker/editor-text";
import { KEY, onNotice, pending, tracker } from "./task-tracker/state";
import { answer } from "./tracker-channel";

// An action begins; tasks that are already pending are not attributed to it.
onNotice("arm", () => {
  forgetOpened();
  tracker.stirred = false;
  tracker.flushing = false;
  endTask();
  tracker.presses = false;
  tracker.epoch++;
  tracker.generation++;
  pending.clear();
  tracker.waiting = false;
});
onNotice("press", () => (tracker.presses = true));
onNotice("read", () => void tracker.generation++);
// The number of pending tasks and of downloads, whether the page is left, and whether further effects may follow that
// are not counted.
answer(KEY, "tasks", () => {
  tracker.waiting = pending.size > 0;
  const what = tracker.waiting ? pending.values().next().value!.what : "";
  const calm = !tracker.stirred && !tracker.watchful;
  return { pending: pending.size, downloads: countDownloads(), leaves: leavesPage(), calm, what };
});
