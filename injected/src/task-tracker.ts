// Runs in the page's own world, before the page does. It counts what the page has put off since the last action (timers,
// frames, idle callbacks), so that settling can wait for exactly that and for nothing else; and it lets closed shadow
// roots be read. It says nothing unless asked, by an event whose name nobody else knows.
//
// Counted is what the action set off: callbacks asked for since it began, by code that is not itself a callback from
// before. A page that polls for ever is therefore at rest. Chains are followed for a bounded time.

// In this order: of several wrappers around a function the last one is called first.
import "./saves";
import { endTask } from "./task-tracker/causes";
import "./task-tracker/timers";
import "./task-tracker/activity";
import "./task-tracker/responses";
import "./task-tracker/messages";
import "./task-tracker/answers";
import { countDownloads, forgetOpened } from "./task-tracker/windows";
import "./task-tracker/shadow-roots";
import { KEY, onNotice, pending, tracker } from "./task-tracker/state";
import { answer } from "./tracker-channel";

// An action begins: what is under way already is not its doing.
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
// How much is put off, what is being saved, and may more come than was counted?
answer(KEY, "tasks", () => {
  tracker.waiting = pending.size > 0;
  const what = tracker.waiting ? pending.values().next().value!.what : "";
  return { pending: pending.size, downloads: countDownloads(), calm: !tracker.stirred && !tracker.watchful, what };
});
