import type { Me } from '../../contract/chat/sessions.ts'
import type { SignedOut, SignInAnswer, SignInBegun } from '../../contract/sign-in.ts'
import { requestJson } from './request.ts'

export const beginSignIn = () => requestJson<SignInBegun>('/api/v1/sign-in', { method: 'POST', body: {} })

export const completeSignIn = (answer: SignInAnswer) => requestJson<Me>('/api/v1/sign-in/complete', { method: 'POST', body: answer })

export const endSignIn = () => requestJson<SignedOut>('/api/v1/sign-out', { method: 'POST', body: {} })
