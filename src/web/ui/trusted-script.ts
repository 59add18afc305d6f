interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/**
 * The address of a worker of ours, to start it by. The page's policy knows `name`, and lets nothing but this address become a script by
 * it; not all browsers have such policies. To be called once for each name.
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
