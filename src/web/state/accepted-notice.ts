import { useConfiguration } from './configuration.ts'

let accepted: string | null = null

/** Remembers which version of the privacy notice the visitor has accepted; `null` for none. */
export function rememberAcceptedNotice(version: string | null): void {
  accepted = version
}

/** The accepted notice that a prompt names, only where staff can read, which the notice then says. */
export function acceptanceOf(): { acceptedNotice?: string } {
  const isAsked = useConfiguration.getState()?.privacy.staffReading === true
  return isAsked && accepted ? { acceptedNotice: accepted } : {}
}
