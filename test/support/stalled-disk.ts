/** A disk whose syncs complete or fail on command. */
export class HeldDisk {
  readonly waiting: PromiseWithResolvers<void>[] = []
  /** If false, syncs complete at once. */
  isHeld = true

  sync(): Promise<void> {
    const waiting = Promise.withResolvers<void>()
    if (this.isHeld) this.waiting.push(waiting)
    else waiting.resolve()
    return waiting.promise
  }

  async close(): Promise<void> {}
}
