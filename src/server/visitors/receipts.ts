import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, CompactSign, exportJWK } from 'jose'
import type { Receipt, ReceiptKeys } from '../../contract/rights.ts'
import { deriveKeys, type InstallationKeys } from '../keys.ts'

/** PKCS #8 prefix of a 32-byte Ed25519 key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export interface ReceiptSigner {
  /** The receipt as JWS, compact serialization, signed with Ed25519 (RFC 7515, RFC 8037). */
  sign(receipt: Receipt): Promise<string>
  /** The public keys that verify receipts, also of former installation keys, as a JWK set. */
  publicKeys(): Promise<ReceiptKeys>
}

/** Signs with a key derived from the current installation key, so all processes share it and there is no second secret. */
export function createReceiptSigner(keys: InstallationKeys): ReceiptSigner {
  const [seed, ...former] = deriveKeys(keys, 'parley deletion receipts, Ed25519')
  const privateKey = signingKey(seed)
  const publicKeys = [privateKey, ...former.map(signingKey)].map((key) => createPublicKey(key))
  return {
    async sign(receipt) {
      const kid = await keyId(createPublicKey(privateKey))
      const payload = new TextEncoder().encode(JSON.stringify(receipt))
      return new CompactSign(payload).setProtectedHeader({ alg: 'EdDSA', kid, typ: 'parley-receipt' }).sign(privateKey)
    },
    async publicKeys() {
      const published = publicKeys.map(async (key) => {
        const { x = '' } = await exportJWK(key)
        return { kty: 'OKP', crv: 'Ed25519', x, kid: await keyId(key), use: 'sig', alg: 'EdDSA' } as const
      })
      return { keys: await Promise.all(published) }
    },
  }
}

function signingKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
}

async function keyId(publicKey: KeyObject): Promise<string> {
  return calculateJwkThumbprint(await exportJWK(publicKey))
}
