import type { SignInAnswer } from '../../src/contract/sign-in.ts'

/** The provider's answer in the callback address. */
export const answerOf = (landing: URL) => Object.fromEntries(landing.searchParams) as SignInAnswer
