import { type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import { TOKEN_SCOPES, type TokenScope } from '../../contract/staff/token-scopes.ts'
import type { CreatedToken, TokenInForce, TokenList } from '../../contract/staff/tokens.ts'
import { defineMessage, type MessageText, t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { call } from '../api.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { DataList } from '../parts/data-list.tsx'
import type { Columns } from '../parts/data-table.tsx'
import { ActionError, ConfirmButton, Field, Show, Time } from '../parts/parts.tsx'
import { confirmed } from '../passkeys.ts'
import { useAction, useLoaded } from '../use-call.ts'
import { joined } from '../format.ts'

const SCOPE_TEXTS: Readonly<Record<TokenScope, MessageText>> = {
  'read:figures': defineMessage('Figures'),
  'read:questions': defineMessage('Unanswered questions'),
  'read:status': defineMessage('Status and stops'),
  'read:audit-log': defineMessage('Audit log'),
}

/** Tokens for scripts, and the form that creates more. */
export function Tokens(): ReactNode {
  const { loaded, reload } = useLoaded<TokenList>('tokens')
  const id = useId()
  return (
    <section aria-labelledby={id} className="tokens">
      <h2 id={id}>{t('Tokens for scripts')}</h2>
      <p>
        {t.with('A token lets a script read from the {api} until it expires.', {
          api: <a href="/api/staff/openapi.json">{t('staff API')}</a>,
        })}
      </p>
      <Show loaded={loaded} reload={reload}>
        {({ tokens }) =>
          tokens.length > 0 && (
            <DataList id="tokens" name={t('Tokens for scripts')} rows={tokens} columns={TOKEN_COLUMNS} keyOf={({ id: token }) => token}>
              {(token) => <Token token={token} onRevoked={reload} />}
            </DataList>
          )
        }
      </Show>
      <TokenForm onCreated={reload} />
    </section>
  )
}

const scopesOf = ({ scopes }: TokenInForce) => joined(...scopes.map((scope) => t(SCOPE_TEXTS[scope])))

const TOKEN_COLUMNS: Columns<TokenInForce> = {
  name: { name: defineMessage('Name'), value: ({ name }) => name },
  scopes: { name: defineMessage('What it may read'), value: scopesOf },
  created: { name: defineMessage('Created'), value: ({ createdAt }) => createdAt },
  until: { name: defineMessage('Until'), value: ({ expiresAt }) => expiresAt },
}

function Token({ token, onRevoked }: { token: TokenInForce; onRevoked: () => Promise<void> }): ReactNode {
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
        onDone={onRevoked}
      />
    </li>
  )
}

function TokenForm({ onCreated }: { onCreated: () => Promise<void> }): ReactNode {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly TokenScope[]>(['read:figures'])
  const [days, setDays] = useState('90')
  const [mistakes, setMistakes] = useState<{ name?: string; scopes?: string; days?: string }>({})
  const [created, setCreated] = useState<CreatedToken | null>(null)
  const { run, isBusy, error } = useAction()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const wanted = { name: name.trim(), scopes, days: Number(days) }
    const found = {
      ...(wanted.name === '' && { name: t('Enter what uses the token.') }),
      ...(scopes.length === 0 && { scopes: t('Choose at least one.') }),
      ...(!(Number.isInteger(wanted.days) && wanted.days >= 1 && wanted.days <= 366) && { days: t('Enter a number from 1 to 366.') }),
    }
    setMistakes(found)
    if (Object.keys(found).length > 0) return
    run(async () => {
      setCreated(await confirmed(() => call<CreatedToken>('POST', 'tokens', wanted)))
      setName('')
      await onCreated()
    })
  }
  return (
    <form onSubmit={submit} noValidate aria-label={t('Create a token')}>
      <h3>{t('Create a token')}</h3>
      <Field label={t('Name of the script')} error={mistakes.name}>
        {(ids) => <input {...ids} dir="auto" maxLength={100} value={name} onChange={({ target }) => setName(target.value)} />}
      </Field>
      <fieldset>
        <legend>{t('What it may read')}</legend>
        {TOKEN_SCOPES.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ target }) => setScopes(target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
            />
            {t(SCOPE_TEXTS[scope])}
          </label>
        ))}
        {mistakes.scopes && <p className="error">{mistakes.scopes}</p>}
      </fieldset>
      <Field label={t('Valid for (days)')} error={mistakes.days}>
        {(ids) => <input {...ids} inputMode="numeric" maxLength={3} value={days} onChange={({ target }) => setDays(target.value)} />}
      </Field>
      <Button variant="solid" type="submit" disabled={isBusy}>
        {t('Create a token')}
      </Button>
      <ActionError message={error} />
      <div aria-live="polite">
        {created && (
          <div className="invitation">
            <p>{t('This is the token. Copy it now: it is not shown again.')}</p>
            <code>{created.token}</code>
            <CopyButton text={created.token} label={t('Copy the token')} />
          </div>
        )}
      </div>
    </form>
  )
}
