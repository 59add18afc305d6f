export interface ChatListener {
  /** The server has accepted a prompt: it knows the visitor, and the session by this key. */
  promptAccepted(key: string): void
  answerEnded(): void
  /** The message box has another text, for the visitor to change and send. */
  draftGiven(): void
}

export const chatListener: ChatListener = { promptAccepted() {}, answerEnded() {}, draftGiven() {} }
