/** The part of `oidc-provider` that the tests use; its published types need sixteen packages more. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export interface ClientMetadata {
    client_id: string
    client_secret: string
    redirect_uris: string[]
    post_logout_redirect_uris: string[]
  }

  export interface Configuration {
    clients: ClientMetadata[]
    claims: Record<string, string[]>
    findAccount: (context: unknown, login: string) => { accountId: string; claims: () => { sub: string; [claim: string]: unknown } }
    cookies: { keys: string[] }
    pkce: { required: () => boolean }
    ttl: Record<string, number>
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): RequestListener
  }
}
