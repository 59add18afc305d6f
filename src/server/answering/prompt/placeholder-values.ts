import { MAX_ATTACHMENTS } from '../../../contract/size-limits.ts'
import { formatRetention } from '../../../contract/chat/retention.ts'
import type { Placeholder } from '../../knowledge/ingestion/placeholders.ts'
import type { ModelDescription } from '../../models/connect-model.ts'

/** Facts about this installation for the knowledge files. */
export interface Installation {
  name: string
  /** Days after a chat's last activity until it is deleted; 0 for an hour. */
  retentionDays: number
  /** The operator's contact, of any kind. */
  contact: string | null
  storage: 'sqlite' | 'postgres'
  /** Who receives searches of the knowledge; `null` for nobody. */
  lookups?: string | null
}

/** Values of the `{{name}}` placeholders in knowledge and agent files. */
export function placeholderValues(installation: Installation, model: ModelDescription): Record<Placeholder, string> {
  const { name, retentionDays, contact, storage, lookups = null } = installation
  const lookedUp = lookups === null ? '' : ` Searches for an answer, which may contain your words, are sent to ${lookups}.`
  return {
    name,
    retentionDays: formatRetention(retentionDays),
    contactSentence:
      contact === null
        ? 'The operator of this site has not named a contact address.'
        : `You can reach the operator of this site at ${contact}.`,
    storage: storage === 'sqlite' ? 'a database file on the server' : 'a PostgreSQL database that the operator runs',
    modelDescription: model.runsHere
      ? `the model ${model.label}, which runs on this server`
      : model.provider === null
        ? 'the built-in assistant, a small program inside this server'
        : `the model ${model.label}, provided by ${model.provider}`,
    promptRecipients:
      model.provider === null
        ? `Your prompts are answered inside this server.${lookups === null ? ' They are not sent to any other company or service.' : lookedUp}`
        : `To answer you, your prompts and the earlier messages of the same chat are sent to ${model.provider}, which runs the model ${model.label}. How long ${model.provider} stores them is set by its own terms.${lookedUp}`,
    filesSentence: filesSentence(model.acceptedFiles),
  }
}

function filesSentence(acceptedFiles: ModelDescription['acceptedFiles']): string {
  if (acceptedFiles === 'none') return 'No. The built-in assistant cannot read files. Copy the important text into your prompt instead.'
  const kinds =
    acceptedFiles === 'images'
      ? 'images (PNG, JPEG, WebP, GIF), PDF and Office documents with text and text files'
      : 'PDF and Office documents with text and text files'
  return `Yes. You can attach ${kinds} to a prompt, up to ${MAX_ATTACHMENTS} at a time: use the paper clip in the message box, paste them, or drop them on the page. They are deleted with the chat.`
}
