type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>

/** Storage of this device. Falls back to memory where the browser denies storage, as does `tabStorage`. */
export const deviceStorage: PageStorage = storageOr(() => localStorage)

export const tabStorage: PageStorage = storageOr(() => sessionStorage)

/** Stores a value in this tab, as JSON; nothing if it is `null`, or there is no room for it. */
export function storeInTab(key: string, value: unknown): void {
  tabStorage.removeItem(key)
  try {
    if (value !== null) tabStorage.setItem(key, JSON.stringify(value))
  } catch (error) {
    console.error(error)
  }
}

/** The value that this tab has stored under a key; `null` for none, and for one that is no JSON. */
export function readFromTab(key: string): unknown {
  try {
    return JSON.parse(tabStorage.getItem(key) ?? 'null')
  } catch (error) {
    console.error(error)
    return null
  }
}

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
