const ADDRESS = '/service-worker.js'

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/** The page's policy knows this one by its name, and it lets one address through. Not all browsers have such policies. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('service-worker', {
  createScriptURL(url) {
    if (url !== ADDRESS) throw new TypeError('Only the worker of the page is a script here')
    return url
  },
})

/** Has the browser keep the page's files, so that it opens without a connection. Only where that is possible: https, or this machine. */
export async function registerWorker(): Promise<void> {
  await navigator.serviceWorker?.register(policy ? policy.createScriptURL(ADDRESS) : ADDRESS)
}
