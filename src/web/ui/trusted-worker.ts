interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/**
 * Makes workers of one script of ours. The page's policy knows `name`, and lets nothing but the script at `address` become one; not all
 * browsers have such policies. To be called once for each name.
 */
export function trustedWorker(name: string, address: string): () => Worker {
  const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(name, {
    createScriptURL(url) {
      if (url !== address) throw new TypeError('Only the worker of the page is a script here')
      return url
    },
  })
  return () => new Worker(policy ? policy.createScriptURL(address) : address, { type: 'module' })
}
