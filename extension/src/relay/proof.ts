// Whether the server at an address knows the token of this browser. Any program of this machine can listen on the port
// of a Legwork that has ended, so the token is sent, and a tab is connected, only after this proof. The server's part
// is crates/server/src/panel_proof.rs.

const bytes = (text: string) => new TextEncoder().encode(text);
const hex = (data: ArrayBuffer | Uint8Array) =>
  [...new Uint8Array(data)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const hash = async (text: string) => hex(await crypto.subtle.digest("SHA-256", bytes(text)));

/** A question to the server. */
export interface Challenge {
  nonce: string;
  pairing: string;
}

/** A question, and the check of the answer to it. `server` is the origin that is asked. */
export async function challenge(
  token: string,
  server: string,
): Promise<{ question: Challenge; isProof(answer: unknown): Promise<boolean> }> {
  const stored = await hash(token);
  const question = {
    nonce: hex(crypto.getRandomValues(new Uint8Array(32))),
    pairing: (await hash(`legwork pairing ${stored}`)).slice(0, 16),
  };
  const secret = bytes(await hash(`legwork proof ${stored}`));
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  return {
    question,
    async isProof(answer) {
      if (typeof answer !== "string" || !/^[0-9a-f]{64}$/.test(answer)) return false;
      const proof = Uint8Array.from(answer.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
      return crypto.subtle.verify("HMAC", key, proof, bytes(`${question.nonce}\n${new URL(server).host}`));
    },
  };
}
