import { createContext, useContext } from 'react'

/** What holds for all messages of the open chat: an answer is being written, and nothing of it is stored. */
export interface ChatMode {
  isSending: boolean
  isTemporary: boolean
}

export const ChatModeContext = createContext<ChatMode>({ isSending: false, isTemporary: false })

/** By context, not from the store: hundreds of messages would be asked at every piece of an answer whether it changes anything for them. */
export const useChatMode = (): ChatMode => useContext(ChatModeContext)
