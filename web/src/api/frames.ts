// The browser's picture while a run is in progress: frames over a WebSocket, of which only the latest is drawn. Each
// frame becomes a blob that is released after the next one, so that an hour of frames does not fill the memory. No
// frames are requested while nobody watches.

import { useEffect, useState } from "preact/hooks";

export interface Picture {
  url: string;
  width: number;
  height: number;
}

const TYPES = ["image/jpeg", "image/png", "image/webp"];

/** The newest frame of a run, while `wanted` is true. */
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
      // No event has this number yet, so the socket sends frames only. Events arrive over the other stream.
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
    // A frame that has just arrived and waits to be drawn would otherwise stay as the newest frame.
    next = undefined;
    if (drawn) URL.revokeObjectURL(drawn);
  };
}
