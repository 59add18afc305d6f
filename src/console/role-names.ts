import type { StaffRole } from '../contract/staff/roles.ts'
import { defineMessage, type MessageText } from '../ui/language/translate.ts'

/** Roles, as they stand after a name. */
export const ROLE_NAMES: Readonly<Record<StaffRole, MessageText>> = {
  owner: defineMessage('owner'),
  editor: defineMessage('editor'),
  reviewer: defineMessage('reviewer'),
  viewer: defineMessage('viewer'),
}
