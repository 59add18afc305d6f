import { type ReactNode, useState } from 'react'
import type { AgentList } from '../../contract/staff/content/agents.ts'
import {
  isBoundToAgents,
  isBoundToCollection,
  MAX_TOKEN_DAYS,
  MAX_WRITING_DAYS,
  TOKEN_CAPS,
  TOKEN_SCOPES,
  type TokenCap,
  type TokenScope,
} from '../../contract/staff/token-scopes.ts'
import type { CreatedToken, TokenInForce, TokenList } from '../../contract/staff/tokens.ts'
import { defineMessage, type MessageText, t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { ShownOnce } from '../parts/copy-button.tsx'
import { Cards, Choices, ConfirmButton, Field, Form, Loaded, Section, Submit, TextField, Time } from '../parts/parts.tsx'
import { type Mistakes, useForm } from '../use-call.ts'
import { joined } from '../format.ts'

const SCOPE_TEXTS: Readonly<Record<TokenScope, MessageText>> = {
  'read:figures': defineMessage('Figures'),
  'read:questions': defineMessage('Unanswered questions'),
  'read:status': defineMessage('Status and stops'),
  'read:audit-log': defineMessage('Audit log'),
  answer: defineMessage('Answers of agents, for programs that use OpenAI’s API'),
  'read:knowledge': defineMessage('Documents of agents, for programs that use MCP'),
  'write:drafts': defineMessage('Drafts of documents and approved answers, cases and evaluations'),
  publish: defineMessage('Documents and approved answers that are used in answers'),
}

const CAP_TEXTS: Readonly<Record<TokenCap, MessageText>> = {
  promptsPerMinute: defineMessage('Prompts per minute'),
  promptsPerDay: defineMessage('Prompts per day (UTC)'),
  tokensPerDay: defineMessage('Model tokens (input and output) per day (UTC)'),
}
const CAPS = Object.entries(TOKEN_CAPS) as [TokenCap, (typeof TOKEN_CAPS)[TokenCap]][]

const COLLECTION = /^[a-z0-9][a-z0-9-]{0,39}$/

export function Tokens(): ReactNode {
  return (
    <Section name={t('Tokens for scripts')} className="tokens">
      <p>
        {t.with('A token lets a script use the {api}, or another program ask agents, until it expires.', {
          api: <a href="/api/staff/openapi.json">{t('staff API')}</a>,
        })}
      </p>
      <Loaded<TokenList> path="tokens">
        {({ tokens }) => (
          <Cards name={t('Tokens for scripts')} items={tokens}>
            {(token) => <Token key={token.id} token={token} />}
          </Cards>
        )}
      </Loaded>
      <TokenForm />
    </Section>
  )
}

const scopesOf = ({ scopes, agents, collection }: TokenInForce) =>
  joined(...scopes.map((scope) => t(SCOPE_TEXTS[scope])), ...agents, collection)

function Token({ token }: { token: TokenInForce }): ReactNode {
  return (
    <li>
      <h3 dir="auto">{token.name}</h3>
      <p>{scopesOf(token)}</p>
      <p className="muted">{t.with('Works until {time}', { time: <Time at={token.expiresAt} /> })}</p>
      <ConfirmButton
        label={t('Revoke: {name}', { name: token.name })}
        question={t('Revoke {name}?', { name: token.name })}
        explanation={t('Whatever uses the token loses access immediately.')}
        action={t('Revoke')}
        act={() => call('DELETE', `tokens/${token.id}`)}
      />
    </li>
  )
}

function TokenForm(): ReactNode {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly TokenScope[]>(['read:figures'])
  const [days, setDays] = useState('90')
  const [agents, setAgents] = useState<readonly string[]>([])
  const [collection, setCollection] = useState('')
  const [caps, setCaps] = useState<Readonly<Record<TokenCap, string>>>(
    () => Object.fromEntries(CAPS.map(([cap, { value }]) => [cap, String(value)])) as Record<TokenCap, string>,
  )
  const [created, setCreated] = useState<CreatedToken | null>(null)
  const isBound = scopes.some(isBoundToAgents)
  const isWriting = scopes.some(isBoundToCollection)
  const maxDays = isWriting ? MAX_WRITING_DAYS : MAX_TOKEN_DAYS
  const bound = isBound && { agents, caps: Object.fromEntries(CAPS.map(([cap]) => [cap, Number(caps[cap])])) }
  const wanted = { name: name.trim(), scopes, days: Number(days), ...bound, ...(isWriting && { collection: collection.trim() }) }
  const found: Mistakes<'name' | 'scopes' | 'days' | 'collection' | 'agents' | TokenCap> = {
    name: wanted.name === '' && t('Enter what uses the token.'),
    scopes: scopes.length === 0 && t('Choose at least one.'),
    days: rangeMistake(days, maxDays),
    collection: isWriting && !COLLECTION.test(collection.trim()) && t('Enter lowercase letters, digits and hyphens.'),
    agents: isBound && agents.length === 0 && t('Choose at least one.'),
    ...(isBound && Object.fromEntries(CAPS.map(([cap, { max }]) => [cap, rangeMistake(caps[cap], max)]))),
  }
  const { submit, isBusy, error, mistakes } = useForm(found, async () => {
    setCreated(await call<CreatedToken>('POST', 'tokens', wanted))
    setName('')
  })
  return (
    <Form onSubmit={submit} name={t('Create a token')}>
      <h3>{t('Create a token')}</h3>
      <TextField label={t('Name of the script')} error={mistakes.name} dir="auto" maxLength={100} value={name} onChange={setName} />
      <fieldset>
        <legend>{t('What it may do')}</legend>
        <Choices all={TOKEN_SCOPES} chosen={scopes} nameOf={(scope) => t(SCOPE_TEXTS[scope])} onChange={setScopes} />
        {mistakes.scopes && <p className="error">{mistakes.scopes}</p>}
      </fieldset>
      {isBound && (
        <>
          <AgentChoices chosen={agents} mistake={mistakes.agents} onChange={setAgents} />
          {CAPS.map(([cap]) => (
            <TextField
              key={cap}
              label={t(CAP_TEXTS[cap])}
              error={mistakes[cap]}
              inputMode="numeric"
              maxLength={10}
              value={caps[cap]}
              onChange={(value) => setCaps({ ...caps, [cap]: value })}
            />
          ))}
        </>
      )}
      {isWriting && (
        <Field
          label={t('Collection')}
          hint={t('It may change what has this id, or an id that begins with it and a hyphen.')}
          error={mistakes.collection}
        >
          {(ids) => <input {...ids} dir="ltr" maxLength={40} value={collection} onChange={({ target }) => setCollection(target.value)} />}
        </Field>
      )}
      <TextField label={t('Valid for (days)')} error={mistakes.days} inputMode="numeric" maxLength={3} value={days} onChange={setDays} />
      <Submit isDisabled={isBusy} error={error} text={t('Create a token')} />
      <ShownOnce text={created?.token} label={t('Copy the token')}>
        {t('This is the token. Copy it now: it is not shown again.')}
      </ShownOnce>
    </Form>
  )
}

function rangeMistake(typed: string, max: number): string | false {
  const value = Number(typed)
  return !(Number.isInteger(value) && value >= 1 && value <= max) && t('Enter a whole number from {min} to {max}.', { min: 1, max })
}

interface AgentChoicesProps {
  chosen: readonly string[]
  mistake: string | false | undefined
  onChange: (chosen: readonly string[]) => void
}

/** The agents in force, of which a token is bound to some. */
function AgentChoices({ chosen, mistake, onChange }: AgentChoicesProps): ReactNode {
  return (
    <fieldset>
      <legend>{t('Agents')}</legend>
      <Loaded<AgentList> path="agents">
        {({ files, managed }) => {
          const names = new Map([...files, ...managed].flatMap(({ id, name, isInForce }) => (isInForce ? [[id, name] as const] : [])))
          return <Choices all={[...names.keys()]} chosen={chosen} nameOf={(id) => names.get(id) ?? id} onChange={onChange} />
        }}
      </Loaded>
      {mistake && <p className="error">{mistake}</p>}
    </fieldset>
  )
}
