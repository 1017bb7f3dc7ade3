import "./dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import { deleteStorageEntries, originStorage, setStorageEntry, storageEntries, storageEntry } from "../src/storage";
import { answer, ask } from "../src/tracker-channel";

test("a question is answered with what the tracker has, and by none with null", () => {
  assert.equal(ask("key", window, "tasks"), null);
  answer("key", "tasks", () => ({ pending: 2, downloads: 1, leaves: true, calm: false, what: "a request to /x y" }));
  answer("key", "strays", () => ["https://a.test/", "https://b.test/"]);
  answer("key", "saves", () => []);
  assert.deepEqual(ask("key", window, "tasks"), {
    pending: 2,
    downloads: 1,
    leaves: true,
    calm: false,
    what: "a request to /x y",
  });
  assert.deepEqual(ask("key", window, "strays"), ["https://a.test/", "https://b.test/"]);
  assert.deepEqual(ask("key", window, "saves"), []);
  assert.equal(ask("other key", window, "saves"), null);
});

test("a page that gives arrays and strings a toJSON changes no answer", () => {
  const prototypes = [Array.prototype, String.prototype] as { toJSON?: () => string }[];
  for (const prototype of prototypes) prototype.toJSON = () => "spoilt";
  try {
    answer("json", "strays", () => ["https://a.test/"]);
    assert.deepEqual(ask("json", window, "strays"), ["https://a.test/"]);
  } finally {
    for (const prototype of prototypes) delete prototype.toJSON;
  }
});

test("entries of a storage are read, written and deleted", () => {
  const area = "local";
  const set = (name: string, value: string, expected = origin) =>
    setStorageEntry({ area, origin: expected, name, value });
  assert.deepEqual(set("b", "2"), { value: null });
  assert.deepEqual(set("a", "1"), { value: null });
  assert.deepEqual(storageEntries({ area }), {
    value: [
      { name: "a", value: "1" },
      { name: "b", value: "2" },
    ],
  });
  assert.deepEqual(storageEntry({ area, name: "b" }), { value: "2" });
  assert.deepEqual(storageEntry({ area, name: "c" }), { value: null });
  assert.deepEqual(set("a", "3", "https://other.test"), { error: "the page is another one by now" });
  assert.deepEqual(originStorage().localStorage?.length, 2);
  assert.deepEqual(deleteStorageEntries({ area, name: "a" }), { value: 1 });
  assert.deepEqual(deleteStorageEntries({ area, name: "a" }), { value: 0 });
  assert.deepEqual(deleteStorageEntries({ area, name: null }), { value: 1 });
  assert.deepEqual(storageEntries({ area }), { value: [] });
});
