import type { Visitor } from '../../contract/chat/sessions.ts'

export const describeVisitor = (sub: string): Visitor => ({ sub, name: 'User', picture: '/visitor.svg' })
