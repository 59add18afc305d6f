import { createContext, useContext } from 'react'

/** State of the open chat that all messages need. */
export interface ChatMode {
  isSending: boolean
  isTemporary: boolean
}

export const ChatModeContext = createContext<ChatMode>({ isSending: false, isTemporary: false })

/** From a context, because hundreds of store selectors would run with every chunk of an answer. */
export const useChatMode = (): ChatMode => useContext(ChatModeContext)
