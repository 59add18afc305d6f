export const PLACEHOLDERS = [
  'name',
  'retentionDays',
  'contactSentence',
  'storage',
  'modelDescription',
  'promptRecipients',
  'filesSentence',
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

const PLACEHOLDER = /\{\{(\w+)\}\}/g

/** The text with its `{{name}}` filled in; an unknown one is left as it is, and `onUnknown` is called with its name. */
export function fillIn(text: string, values: Readonly<Record<string, string>>, onUnknown: (name: string) => void = () => {}): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) onUnknown(name)
    return value ?? placeholder
  })
}
