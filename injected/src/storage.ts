// The storages of the document's origin. A document may have none; reading the property then throws.

import type * as Bridge from "./generated";

const storageOf = (area: Bridge.Area): Storage => (area === "local" ? localStorage : sessionStorage);

const entriesOf = (storage: Storage): Bridge.NameValue[] =>
  Object.keys(storage).map((name) => ({ name, value: storage.getItem(name)! }));

/** The result of a function for a storage, or the reason for which there is no storage. */
function within<T>(area: Bridge.Area, value: (storage: Storage) => T): { value: T } | { error: string } {
  let storage: Storage;
  try {
    storage = storageOf(area);
  } catch {
    return { error: "this page has no storage" };
  }
  try {
    return { value: value(storage) };
  } catch (error) {
    return { error: String(error) };
  }
}

export function originStorage(): Bridge.OriginStorage {
  const entries = (area: Bridge.Area): Bridge.NameValue[] => {
    const read = within(area, entriesOf);
    return "value" in read ? read.value : [];
  };
  return { origin, localStorage: entries("local"), sessionStorage: entries("session") };
}

export const storageEntries = ({ area }: Bridge.StorageEntries) =>
  within(area, (storage) => entriesOf(storage).sort((one, other) => (one.name < other.name ? -1 : 1)));

export const storageEntry = ({ area, name }: Bridge.StorageEntry) => within(area, (storage) => storage.getItem(name));

export const setStorageEntry = ({ area, origin: expected, name, value }: Bridge.SetStorageEntry) =>
  within(area, (storage) => {
    // The page may have navigated since its origin was requested.
    if (origin !== expected) throw "the page is another one by now";
    storage.setItem(name, value);
    return null;
  });

export const deleteStorageEntries = ({ area, name }: Bridge.DeleteStorageEntries) =>
  within(area, (storage) => {
    if (name === null) {
      const all = storage.length;
      storage.clear();
      return all;
    }
    const had = storage.getItem(name) !== null;
    storage.removeItem(name);
    return had ? 1 : 0;
  });
