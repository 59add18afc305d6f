/** A disk that is done, or refuses, when the test says so. */
export class HeldDisk {
  readonly waiting: PromiseWithResolvers<void>[] = []
  /** Otherwise it is done at once. */
  isHeld = true

  sync(): Promise<void> {
    const waiting = Promise.withResolvers<void>()
    if (this.isHeld) this.waiting.push(waiting)
    else waiting.resolve()
    return waiting.promise
  }

  async close(): Promise<void> {}
}
