/** What the page asks of a storage. */
type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>

/** Kept on this device. Like `tabStorage` of the page's memory, and gone with it, where the browser gives a frame or a visitor none. */
export const deviceStorage: Kept = storageOr(() => localStorage)

/** Kept for this tab. */
export const tabStorage: Kept = storageOr(() => sessionStorage)

function storageOr(open: () => Kept): Kept {
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
