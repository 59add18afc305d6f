/** The part of `Storage` that the page uses. */
type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>

/** Storage of this device. Falls back to memory where the browser denies storage, as does `tabStorage`. */
export const deviceStorage: PageStorage = storageOr(() => localStorage)

/** Storage of this tab. */
export const tabStorage: PageStorage = storageOr(() => sessionStorage)

function storageOr(open: () => PageStorage): PageStorage {
  try {
    return open()
  } catch {
    const items = new Map<string, string>()
    return {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
      clear: () => items.clear(),
    }
  }
}
