import type { ReactNode } from 'react'
import type { AgentList } from '../../../contract/staff/content/agents.ts'
import { hasRight } from '../../../contract/staff/roles.ts'
import { DataList } from '../../parts/data-list.tsx'
import type { Columns } from '../../parts/data-table.tsx'
import { Show } from '../../parts/parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { useLoaded } from '../../use-call.ts'
import { useHash } from '../../use-hash.ts'
import { AgentScreen } from './agent.tsx'
import { agentAddress, CreateAgentForm } from './create-agent-form.tsx'
import { defineMessage, t } from '../../../ui/language/translate.ts'
import { joined } from '../../format.ts'

/** The agents, or the one that the address names. */
export function Agents(): ReactNode {
  const id = decoded(useHash().split('/')[1] ?? '')
  return id === '' ? <AgentsList /> : <AgentScreen key={id} id={id} />
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function AgentsList(): ReactNode {
  const { session } = useStaff()
  const { loaded, reload } = useLoaded<AgentList>('agents')
  return (
    <>
      <p>{t('Who answers visitors. Managed agents are changed here; those of files are only shown.')}</p>
      <Show loaded={loaded} reload={reload}>
        {({ files, managed }) => (
          <>
            <section aria-labelledby="managed" className="agents">
              <h2 id="managed">{t('Managed agents')}</h2>
              {managed.length === 0 && (
                <p className="muted">{t('There are none. Create one, or open the agent of a file and choose “Edit here”.')}</p>
              )}
              <DataList id="managed" name={t('Managed agents')} rows={managed} columns={MANAGED_COLUMNS} keyOf={({ id }) => id}>
                {(agent) => (
                  <li>
                    <h3 dir="auto">
                      <a href={agentAddress(agent.id)}>{agent.name || agent.id}</a>
                    </h3>
                    <p className="muted">{joined(agent.id, managedState(agent))}</p>
                    <Problems count={agent.problems} />
                  </li>
                )}
              </DataList>
              {hasRight(session.role, 'change-agents') && <NewAgentForm />}
            </section>
            <section aria-labelledby="files" className="agents">
              <h2 id="files">{t('Agents of files')}</h2>
              <DataList id="files" name={t('Agents of files')} rows={files} columns={FILE_COLUMNS} keyOf={({ file }) => file}>
                {(agent) => (
                  <li>
                    <h3 dir="auto">
                      <a href={agentAddress(agent.id)}>{agent.name || agent.file}</a>
                    </h3>
                    <p className="muted">{joined(agent.file, fileState(agent))}</p>
                    <Problems count={agent.problems} />
                  </li>
                )}
              </DataList>
            </section>
          </>
        )}
      </Show>
    </>
  )
}

type Managed = AgentList['managed'][number]
type FileAgent = AgentList['files'][number]

const fileState = ({ isInForce }: FileAgent) => (isInForce ? t('live') : t('not live'))

const MANAGED_COLUMNS: Columns<Managed> = {
  name: { name: defineMessage('Name'), value: ({ name }) => name },
  id: { name: defineMessage('Id'), value: ({ id }) => id },
  state: { name: defineMessage('State'), value: managedState },
  problems: { name: defineMessage('Problems'), value: ({ problems }) => problems },
}
const FILE_COLUMNS: Columns<FileAgent> = {
  name: { name: defineMessage('Name'), value: ({ name }) => name },
  file: { name: defineMessage('File'), value: ({ file }) => file },
  state: { name: defineMessage('State'), value: fileState },
  problems: { name: defineMessage('Problems'), value: ({ problems }) => problems },
}

function managedState({ published, hasChanges, isInForce }: Managed): string {
  if (published === null) return t('draft, not published')
  const number = published
  const version = isInForce ? t('version {number} live', { number }) : t('version {number} published', { number })
  return joined(version, hasChanges && t('the draft has changes'))
}

function Problems({ count }: { count: number }): ReactNode {
  return count > 0 && <p className="error">{t.plural(count, '{count} problem', '{count} problems')}</p>
}

const STARTING_TEXT = `---
name: Assistant
greeting: Hi, how can I help?
knowledge: [.]
---
You are the assistant of {{name}}.
Answer in the language of the visitor, short and plain.
`

function NewAgentForm(): ReactNode {
  return <CreateAgentForm label={t('New agent')} action={t('Create')} idBefore="" text={() => STARTING_TEXT} />
}
