import { create } from 'zustand'
import type { VoiceConversation } from './voice-conversation.ts'

/** The page's voice conversation. */
export const useVoice = create<{ conversation: VoiceConversation }>(() => ({ conversation: { phase: 'off' } }))

/** Whether a voice conversation listens or reads the answers aloud. */
export const isConversing = (): boolean => useVoice.getState().conversation.phase !== 'off'
