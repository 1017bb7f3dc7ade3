// A message of the page to itself has the cause of what sent it. Each port remembers the causes of the messages that are on their way
// to it, in order: there is no order between messages of different ports. A page that sends itself one message for all that it has
// to do (React) does what a press asked for with it as well: after a press in between, the message is of no earlier cause.

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
  // The first listener, for the page has none yet.
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
    // Messages to a port that was handed on arrive elsewhere.
    if (queue && queue.length >= MOST_CAUSES) causes.delete(to);
    else queue?.push(born !== null && born < generation ? { born, inputs } : null);
    return sent;
  },
  MessagePort.prototype,
);
