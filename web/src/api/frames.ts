// The browser's picture while a run works: WebSocket frames, of which only the latest counts. Each becomes a blob that is
// drawn and let go, so that an hour of watching does not fill the memory. Nobody looks: nothing is asked for.

import { useEffect, useState } from "preact/hooks";

export interface Picture {
  url: string;
  width: number;
  height: number;
}

const TYPES = ["image/jpeg", "image/png", "image/webp"];

/** The newest picture of a run, while `wanted`. */
export function useFrames(run: string, wanted: boolean): Picture | undefined {
  const [picture, show] = useState<Picture>();
  useEffect(() => {
    if (!wanted) return;
    const stop = frames(run, show);
    return () => {
      stop();
      show(undefined);
    };
  }, [run, wanted]);
  return picture;
}

function frames(run: string, show: (picture: Picture) => void): () => void {
  let socket: WebSocket | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let drawn: string | undefined;
  let next: { mime: string; data: string; width: number; height: number } | undefined;
  let drawing = false;

  const draw = () => {
    drawing = false;
    if (!next) return;
    const { mime, data, width, height } = next;
    next = undefined;
    const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([bytes], { type: TYPES.includes(mime) ? mime : "image/jpeg" }));
    if (drawn) URL.revokeObjectURL(drawn);
    drawn = url;
    show({ url, width, height });
  };

  const open = () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/api/stream/ws/${encodeURIComponent(run)}`);
    socket.onopen = () => {
      failures = 0;
      // No event has this number yet: of the journal, the other stream tells.
      socket?.send(JSON.stringify({ type: "subscribe", from: Number.MAX_SAFE_INTEGER, types: [], frames: true }));
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as { type: string } & NonNullable<typeof next>;
      if (message.type !== "frame") return;
      next = message;
      if (!drawing) {
        drawing = true;
        requestAnimationFrame(draw);
      }
    };
    socket.onclose = () => {
      retry = setTimeout(open, Math.min(15_000, 1_000 * 2 ** failures++));
    };
  };

  const close = () => {
    clearTimeout(retry);
    if (socket) {
      socket.onclose = null;
      socket.close();
    }
    socket = undefined;
  };
  const look = () => {
    close();
    if (document.visibilityState === "visible") open();
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    close();
    // One that came just before, and was to be drawn with the next frame, would stay as the newest for good.
    next = undefined;
    if (drawn) URL.revokeObjectURL(drawn);
  };
}
