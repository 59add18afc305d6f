import { type ReactNode, useState } from 'react'
import type { AgentList, AgentMistake } from '../../../contract/staff/content/agents.ts'
import { TextAreaField, TextField } from '../../parts/parts.tsx'
import { useLoaded } from '../../use-call.ts'
import { type AgentFields, fieldsOf, type ListKey, withField } from './agent-text.ts'
import { t } from '../../../ui/language/translate.ts'
import { joined, linesIn } from '../../format.ts'

interface FieldsProps {
  text: string
  mistakes: readonly AgentMistake[]
  onChange: (text: string) => void
}

/** The common fields of an agent's text, each with its problems. */
export default function AgentFieldsForm({ text, mistakes, onChange }: FieldsProps): ReactNode {
  const tools = useLoaded<AgentList>('agents').data?.tools ?? []
  const fields = fieldsOf(text)
  if (!fields) return <p className="muted">{t('The front matter can’t be shown as fields. Correct it in the text.')}</p>
  const errorOf = (key: keyof AgentFields) =>
    mistakes
      .filter((mistake) => mistake.key === key)
      .map(({ message }) => message)
      .join('; ')
  const line = (key: 'name' | 'greeting' | 'model', label: string, hint: string) => (
    <TextField
      label={label}
      hint={hint}
      error={errorOf(key)}
      dir="auto"
      autoComplete="off"
      value={fields[key]}
      onChange={(value) => onChange(withField(text, key, value))}
    />
  )
  const list = (key: ListKey, label: string, hint: string) => (
    <ListField
      label={label}
      hint={hint}
      error={errorOf(key)}
      values={fields[key] ?? []}
      onChange={(values) => onChange(withField(text, key, values))}
    />
  )
  return (
    <div role="group" aria-label={t('Fields')} className="fields">
      {line('name', t('Name'), t('What visitors read.'))}
      {line('greeting', t('Greeting'), t('Above an empty chat.'))}
      {list(
        'starters',
        t('Starters'),
        t('Suggested questions, one per line, at most six. Leave it empty to take headings of the knowledge.'),
      )}
      {list('knowledge', t('Knowledge'), t('Folders of the knowledge, one per line; a dot for all. Leave it empty for all.'))}
      {list(
        'tools',
        t('Tools'),
        tools.length > 0
          ? t('One per line. Leave it empty for the search of the knowledge alone. There are {tools}.', { tools: joined(...tools) })
          : t('One per line. Leave it empty for the search of the knowledge alone.'),
      )}
      {line('model', t('Model'), t('A model of the configured provider. Leave it empty for the installation’s model.'))}
      <TextAreaField
        label={t('Instruction')}
        hint={t('What the model is told, in Markdown.')}
        error={errorOf('instruction')}
        dir="auto"
        rows={8}
        value={fields.instruction}
        onChange={(value) => onChange(withField(text, 'instruction', value))}
      />
    </div>
  )
}

interface ListProps {
  label: string
  hint: string
  error: string
  values: readonly string[]
  onChange: (values: string[]) => void
}

/** A list, one value per line. Empty lines stay while somebody types. */
function ListField({ label, hint, error, values, onChange }: ListProps): ReactNode {
  const [typed, setTyped] = useState('')
  const isSame = linesIn(typed).join('\n') === values.join('\n')
  return (
    <TextAreaField
      label={label}
      hint={hint}
      error={error}
      dir="auto"
      rows={Math.min(6, Math.max(2, values.length))}
      value={isSame ? typed : values.join('\n')}
      onChange={(value) => {
        setTyped(value)
        onChange(linesIn(value))
      }}
    />
  )
}
