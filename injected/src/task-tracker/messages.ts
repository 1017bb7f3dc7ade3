// A message of the page to itself has the cause of its sender. Each port stores the causes of the messages on their way
// to it in order, because messages of different ports have no common order. Some pages send themselves one message for
// all pending work (React), which then includes the work of a press. After a press in between, the message is therefore
// no longer attributed to the earlier cause.

import { endTask, followMessage } from "./causes";
import { tracker } from "./state";
import { wrap } from "./wrap";

interface Cause {
  born: number;
  inputs: number;
}
const MOST_CAUSES = 1_000;
const peers = new WeakMap<object, MessagePort>();
const causes = new WeakMap<object, (Cause | null)[]>();

function watchPort(port: MessagePort, peer: MessagePort): void {
  const queue: (Cause | null)[] = [];
  peers.set(peer, port);
  causes.set(port, queue);
  // This is the first listener, because the page has none yet.
  port.addEventListener("message", () => {
    endTask();
    const cause = queue.shift();
    if (!cause || cause.inputs !== tracker.inputs) return;
    followMessage(cause.born);
  });
}
window.MessageChannel = new Proxy(MessageChannel, {
  construct(target, args, created) {
    const channel = Reflect.construct(target, args, created) as MessageChannel;
    watchPort(channel.port1, channel.port2);
    watchPort(channel.port2, channel.port1);
    return channel;
  },
});
wrap(
  "postMessage",
  (target, self, args) => {
    const sent = Reflect.apply(target, self, args);
    const { born, generation, inputs } = tracker;
    const to = peers.get(self as object);
    const queue = to && causes.get(to);
    // Messages to a port that was transferred arrive elsewhere, so its queue would only grow.
    if (queue && queue.length >= MOST_CAUSES) causes.delete(to);
    else queue?.push(born !== null && born < generation ? { born, inputs } : null);
    return sent;
  },
  MessagePort.prototype,
);
