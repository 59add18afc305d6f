/** What the page asks of a storage. */
type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>

/** Kept on this device. Like `tabStorage` of the page's memory, and gone with it, where the browser gives a frame or a visitor none. */
export const deviceStorage: PageStorage = storageOr(() => localStorage)

/** Kept for this tab. */
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
