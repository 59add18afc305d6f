import { type ReactNode, useState } from 'react'
import type { AgentList } from '../../../contract/staff/content/agents.ts'
import { defineMessage, t } from '../../../ui/language/translate.ts'
import { call } from '../../api.ts'
import { joined } from '../../format.ts'
import { type Columns, DataTable } from '../../parts/data-table.tsx'
import { Field, Form, Loaded, Submit } from '../../parts/parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { useForm } from '../../use-call.ts'
import { useHashParts } from '../../use-hash.ts'
import { AgentScreen } from './agent.tsx'

export function Agents(): ReactNode {
  const [, id = ''] = useHashParts()
  return id === '' ? <AgentsList /> : <AgentScreen key={id} id={id} />
}

const agentAddress = (id: string): string => `#/agents/${encodeURIComponent(id)}`

function AgentsList(): ReactNode {
  const { may } = useStaff()
  return (
    <>
      <Loaded<AgentList> path="agents">
        {({ files, managed }) => (
          <section aria-label={t('Agents')} className="figures">
            <DataTable
              name={t('Agents')}
              className="documents"
              rows={[...managed, ...files]}
              columns={COLUMNS}
              keyOf={(agent) => ('file' in agent ? agent.file : `${agent.id} `)}
            />
          </section>
        )}
      </Loaded>
      {may('change-agents') && <NewAgentForm />}
    </>
  )
}

type Listed = AgentList['managed'][number] | AgentList['files'][number]

const COLUMNS: Columns<Listed> = {
  name: {
    name: defineMessage('Name'),
    value: ({ name, id }) => name || id,
    show: ({ name, id }) => <a href={agentAddress(id)}>{name || id}</a>,
  },
  id: { name: defineMessage('Id'), value: ({ id }) => id },
  source: { name: defineMessage('Source'), value: (agent) => ('file' in agent ? agent.file : t('Console')) },
  state: { name: defineMessage('State'), value: stateOf },
  problems: { name: defineMessage('Problems'), value: ({ problems }) => problems || null },
}

function stateOf(agent: Listed): string {
  if ('file' in agent) return agent.isInForce ? t('live') : t('not live')
  if (agent.published === null) return t('draft, not published')
  return joined(t('version {number} live', { number: agent.published }), agent.hasChanges && t('the draft has changes'))
}

const ID = /^(?!me$)[a-z0-9][a-z0-9-]{0,63}$/
const STARTING_TEXT = `---
name: Assistant
greeting: Hi, how can I help?
knowledge: [.]
---
You are the assistant of {{name}}.
Answer in the language of the visitor, short and plain.
`

function NewAgentForm(): ReactNode {
  const [id, setId] = useState('')
  const wanted = id.trim()
  const { submit, isBusy, error, mistakes } = useForm(
    { id: !ID.test(wanted) && t('Enter lowercase letters, digits and hyphens.') },
    async () => {
      await call('POST', 'agents', { id: wanted, text: STARTING_TEXT })
      location.hash = agentAddress(wanted)
    },
  )
  return (
    <Form onSubmit={submit} name={t('New agent')}>
      <h2>{t('New agent')}</h2>
      <Field label={t('Id')} hint={t('Part of its address, such as town-hall. It can’t be changed later.')} error={mistakes.id}>
        {(ids) => <input {...ids} dir="ltr" autoComplete="off" value={id} onChange={({ target }) => setId(target.value)} />}
      </Field>
      <Submit variant="outline" isDisabled={isBusy} error={error} text={t('Create')} />
    </Form>
  )
}
