import { z } from 'zod'

/** Rejections of the staff API besides those that it shares with the visitors' API, by code. `title` says what to do next. */
export const STAFF_PROBLEMS = {
  sign_in_required: { status: 401, title: 'You are not signed in, or your session has ended. Sign in again.' },
  sign_in_failed: { status: 401, title: 'This passkey does not belong to anybody on the staff, or signing in took too long. Try again.' },
  link_invalid: { status: 410, title: 'This link was used before or has expired. Ask for a new one.' },
  role_insufficient: { status: 403, title: 'Your role does not allow this. Ask an owner.' },
  confirmation_required: { status: 403, title: 'Confirm with your passkey that it is you. Then try again.' },
  origin_not_allowed: { status: 403, title: 'Changes are accepted only from the console’s own page.' },
  last_owner: { status: 409, title: 'This is the last owner. Invite another owner first.' },
  too_many_passkeys: { status: 409, title: 'You have ten passkeys. Remove one first.' },
} as const
export type StaffProblemCode = keyof typeof STAFF_PROBLEMS

/** Body of every reply of the staff API that is not a success: `application/problem+json`, RFC 9457. */
export const StaffProblem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
})
export type StaffProblem = z.infer<typeof StaffProblem>
