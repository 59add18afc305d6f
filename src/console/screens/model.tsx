import { type ReactNode, useState } from 'react'
import type { ConnectedModel, ModelTested } from '../../contract/staff/model.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { amountOf } from '../format.ts'
import { ActionError, binding, ConfirmButton, Field, Form, Loaded, option, Section, SelectField, TextField } from '../parts/parts.tsx'
import { useStaff } from '../staff-context.ts'
import { useAction } from '../use-call.ts'
import { modelName } from '../../ui/language/model-name.ts'

type Provider = NonNullable<ConnectedModel['connection']>['provider']

const PROVIDERS: Readonly<Record<Exclude<Provider, 'address'>, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Gemini',
  mistral: 'Mistral',
}

const isRestarting = ({ isLive }: ConnectedModel) => !isLive

/** The model that answers, and the form by which owners connect one; nothing for others. */
export function Model(): ReactNode {
  const { may } = useStaff()
  return may('connect-model') && <ConnectedModelSection />
}

function ConnectedModelSection(): ReactNode {
  return (
    <Section name={t('Model')} className="figures">
      <Loaded<ConnectedModel> path="model" isChanging={isRestarting}>
        {(model) => (
          <>
            <p role="status">
              {model.isLive
                ? t('{model} answers.', { model: modelName(model.label) })
                : t('The chat restarts with the change. This takes a few seconds.')}
            </p>
            {model.isSetByEnvironment && <p className="muted">{t('Set by the environment (MODEL), which comes first.')}</p>}
            {!model.isSetByEnvironment && <ModelForm key={JSON.stringify(model.connection)} connection={model.connection} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

interface Typed {
  provider: Provider
  address: string
  model: string
  key: string
}

function ModelForm({ connection }: Pick<ConnectedModel, 'connection'>): ReactNode {
  const { provider: connected = 'openai', address = '', model = '' } = connection ?? {}
  const [typed, setTyped] = useState<Typed>({ provider: connected, address: address ?? '', model, key: '' })
  const [tested, setTested] = useState<ModelTested | null>(null)
  const test = useAction()
  const wanted = wantedOf(typed)
  const isComplete = wanted.model !== '' && (typed.provider !== 'address' || URL.canParse(typed.address.trim()))
  const isSameHost =
    connection?.provider === typed.provider && (connection.address === null || originOf(connection.address) === originOf(typed.address))
  const submit = () => {
    setTested(null)
    test.run(async () => setTested(await call<ModelTested>('POST', 'model/test', wanted)))
  }
  return (
    <Form onSubmit={submit} name={t('Connect a model')}>
      <ConnectionFields typed={typed} hasKey={isSameHost && connection.hasKey} onChange={setTyped} />
      <div className="actions">
        <Button variant="outline" type="submit" disabled={test.isBusy || !isComplete}>
          {t('Test')}
        </Button>
        <ConfirmButton
          isMain
          isDisabled={!isComplete}
          question={t('Connect {model}?', { model: wanted.model })}
          explanation={t(
            'Visitors’ messages then go to its provider. The privacy notice says so, and visitors are asked again. The chat restarts, which takes a few seconds.',
          )}
          action={t('Connect')}
          act={() => call('POST', 'model', wanted)}
        />
        {connection && (
          <ConfirmButton
            question={t('Disconnect {model}?', { model: connection.model })}
            explanation={t(
              'Its key is deleted. The assistant then quotes the documents. The privacy notice changes, and the chat restarts.',
            )}
            action={t('Disconnect')}
            act={() => call('DELETE', 'model')}
          />
        )}
      </div>
      <p role="status" className={tested?.isAnswering ? 'good' : 'error'} dir="auto">
        {test.isBusy && t('Asking the model …')}
        {tested?.isAnswering && t('It answered after {count} s: {text}', { count: amountOf(tested.seconds, 1), text: tested.detail })}
        {tested && !tested.isAnswering && t('It didn’t answer: {reason}', { reason: tested.detail })}
      </p>
      <ActionError message={test.error} />
    </Form>
  )
}

const wantedOf = ({ provider, address, model, key }: Typed) => ({
  provider,
  ...(provider === 'address' && { address: address.trim() }),
  model: model.trim(),
  ...(key.trim() !== '' && { key: key.trim() }),
})

interface FieldsProps {
  typed: Typed
  /** Whether a key is stored that goes to this host. */
  hasKey: boolean
  onChange(typed: Typed): void
}

function ConnectionFields({ typed, hasKey, onChange }: FieldsProps): ReactNode {
  const change = (part: Partial<Typed>) => onChange({ ...typed, ...part })
  const of = binding<'address' | 'key'>(typed, change)
  return (
    <>
      <SelectField label={t('Provider')} value={typed.provider} onChange={(value) => change({ provider: value as Provider })}>
        {Object.entries(PROVIDERS).map(([value, name]) => option(value, name))}
        <option value="address">{t('Another, by its address')}</option>
      </SelectField>
      {typed.provider === 'address' && (
        <TextField
          label={t('Address')}
          hint={t(
            'Of OpenAI’s protocol, such as https://models.example.org/v1. On your own network, its host has to be in CONSOLE_PRIVATE_HOSTS.',
          )}
          dir="ltr"
          inputMode="url"
          maxLength={500}
          {...of('address')}
        />
      )}
      <Field label={t('Name of the model')} hint={t('As the provider writes it, such as gpt-5-mini.')}>
        {(ids) => (
          <input {...ids} dir="ltr" maxLength={200} value={typed.model} onChange={({ target }) => change({ model: target.value })} />
        )}
      </Field>
      <TextField
        label={t('Key')}
        hint={
          hasKey
            ? t('A key is stored and can’t be read. Leave this empty to keep it.')
            : t('Stored encrypted, never shown again, and sent to this host alone.')
        }
        type="password"
        dir="ltr"
        autoComplete="off"
        maxLength={500}
        {...of('key')}
      />
    </>
  )
}

const originOf = (address: string | null) => URL.parse(address ?? '')?.origin
