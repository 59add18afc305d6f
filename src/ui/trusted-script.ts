interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/**
 * A trusted-types address for one of our workers, where browsers support it. The content security policy lists `name`. Call it once per
 * name.
 */
export function trustedScript(name: string, address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy(name, {
    createScriptURL(url) {
      if (url !== address) throw new TypeError('Only the worker of the page is a script here')
      return url
    },
  })
  return policy?.createScriptURL(address) ?? address
}
