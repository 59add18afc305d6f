import type { Visitor } from '../../contract/chat/sessions.ts'

/** The visitor as pages show them. */
export const describeVisitor = (sub: string): Visitor => ({ sub, name: 'User', picture: '/visitor.svg' })
