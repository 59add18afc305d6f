import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** Options that a browser would pass to an authenticator. */
interface Ceremony {
  challenge: string
  origin: string
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** A WebAuthn authenticator with one passkey (ES256), as the browser's API answers with it. Its fields can be changed to misbehave. */
export class Authenticator {
  /** Signatures so far, as it reports them. */
  counter = 0
  isUserVerified = true
  readonly id = randomBytes(16).toString('base64url')
  readonly #privateKey: KeyObject
  readonly #coseKey: Buffer

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#privateKey = privateKey
    // CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const bytes = (text: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')])
    this.#coseKey = Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]), bytes(x), Buffer.from([0x22]), bytes(y)])
  }

  register(ceremony: Ceremony) {
    const credential = Buffer.from(this.id, 'base64url')
    const length = Buffer.from([0, credential.length])
    const data = Buffer.concat([this.#data(ceremony, HAS_CREDENTIAL), Buffer.alloc(16), length, credential, this.#coseKey])
    // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
    const attestation = Buffer.concat([
      Buffer.from('\u00a3\u0063fmt\u0064none\u0067attStmt\u00a0\u0068authData\u0058', 'latin1'),
      Buffer.from([data.length]),
      data,
    ])
    return {
      ...this.#response,
      response: {
        clientDataJSON: clientData('webauthn.create', ceremony),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  signIn(ceremony: Ceremony) {
    this.counter += 1
    const data = this.#data(ceremony, 0)
    const client = clientData('webauthn.get', ceremony)
    const signature = sign('sha256', Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))]), this.#privateKey)
    return {
      ...this.#response,
      response: { clientDataJSON: client, authenticatorData: data.toString('base64url'), signature: signature.toString('base64url') },
    }
  }

  get #response() {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #data({ origin }: Ceremony, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const verified = this.isUserVerified ? USER_VERIFIED : 0
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([USER_PRESENT | verified | flags]), counter])
  }
}

function clientData(type: string, { challenge, origin }: Ceremony): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
}
