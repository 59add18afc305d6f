/** Settings that the server has of an embed (`src/server/visitor-api/installation/embed-settings.ts`). Attributes of the tag come first. */
export interface EmbedSettings {
  /** Whether this page's origin can embed it. */
  isListed: boolean
  label?: string
  color?: string
  theme?: string
}

/** Address of the chat for a frame. */
export function frameAddress(src: string, { embed = '', agent, inline, lang }: DOMStringMap): URL {
  const address = new URL('./', src)
  const language = lang ?? document.documentElement.lang
  for (const [name, value] of Object.entries({ embed, agent, inline: inline && 'true', language }))
    if (value !== undefined) address.searchParams.set(name, value)
  return address
}

/** Reads the settings of the embed of a frame as a module: that needs no `connect-src` of the page, sends no cookies, and is read once. */
export async function readSettings({ href }: URL): Promise<EmbedSettings> {
  const address = new URL('./embed-settings.js', href)
  const asked = new URL(href).searchParams
  for (const name of ['embed', 'language']) if (asked.get(name)) address.searchParams.set(name, asked.get(name) ?? '')
  const { default: settings } = (await import(/* @vite-ignore */ address.href)) as { default: EmbedSettings }
  return settings
}
