import { customAlphabet } from 'nanoid'
import { LETTERS_AND_DIGITS, SESSION_ID_LENGTH } from '../../contract/size-limits.ts'

/** 21 letters and digits from the system's random source: 125 bits. */
export const newSessionId = customAlphabet(LETTERS_AND_DIGITS, SESSION_ID_LENGTH)

export const newTurnId = (): string => `t_${newSessionId()}`
export const newFileId = (): string => `f_${newSessionId()}`
export const newApprovalId = (): string => `ap_${newSessionId()}`
export const newMessageId = (): string => `m_${newSessionId()}`
