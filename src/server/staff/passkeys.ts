import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { StaffMember } from '../store/staff/staff.ts'
import type { StaffPasskey } from '../store/staff/staff-passkeys.ts'
import type { Challenges } from './challenges.ts'

export interface RelyingParty {
  name: string
  /** Origin under which staff open the console; passkeys belong to its host name. */
  origin: string
}

export type ProvenPasskey = Pick<StaffPasskey, 'id' | 'publicKey' | 'counter' | 'transports'>

/** For that library, which is loaded with its first use: it brings 2 MB of certificate parsers. */
const library = () => import('@simplewebauthn/server')

/** WebAuthn ceremonies of the console. Challenges work once, for five minutes, at every process. */
export class Passkeys {
  readonly #party: RelyingParty
  readonly #challenges: Challenges

  constructor(party: RelyingParty, challenges: Challenges) {
    this.#party = party
    this.#challenges = challenges
  }

  async registrationOptions(member: StaffMember, existing: readonly StaffPasskey[]): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await library()
    return generateRegistrationOptions({
      challenge: this.#challenges.create(member.id),
      rpName: this.#party.name,
      rpID: this.#hostName,
      userName: member.name,
      userID: new TextEncoder().encode(member.id),
      attestationType: 'none',
      excludeCredentials: existing.map(credentialOf),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  }

  /** Verifies a registration by this person; `null` if it proves nothing. */
  async register(member: StaffMember, response: RegistrationResponseJSON): Promise<ProvenPasskey | null> {
    const { verifyRegistrationResponse } = await library()
    const verification = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => this.#challenges.take(challenge, member.id),
      expectedOrigin: this.#party.origin,
      expectedRPID: this.#hostName,
    }).catch(() => null)
    if (!verification?.verified) return null
    const { id, publicKey, counter, transports = [] } = verification.registrationInfo.credential
    return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports }
  }

  /** Options for signing in. They name nobody: the authenticator offers its own passkeys. */
  async signInOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await library()
    const challenge = this.#challenges.create(ANYBODY)
    return generateAuthenticationOptions({ challenge, rpID: this.#hostName, userVerification: 'required' })
  }

  /** Verifies a signature with this passkey. Returns the authenticator's new count; `null` if it proves nothing. */
  async verify(passkey: StaffPasskey, response: AuthenticationResponseJSON): Promise<number | null> {
    const { verifyAuthenticationResponse } = await library()
    const verification = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => this.#challenges.take(challenge, ANYBODY),
      expectedOrigin: this.#party.origin,
      expectedRPID: this.#hostName,
      credential: {
        ...credentialOf(passkey),
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }).catch(() => null)
    return verification?.verified ? verification.authenticationInfo.newCounter : null
  }

  get #hostName(): string {
    return new URL(this.#party.origin).hostname
  }
}

/** Challenges for signing in belong to nobody yet. */
const ANYBODY = ''

function credentialOf({ id, transports }: StaffPasskey): { id: string; transports: AuthenticatorTransport[] } {
  return { id, transports: transports as AuthenticatorTransport[] }
}
