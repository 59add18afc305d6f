import { type ReactNode, useState } from 'react'
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/staff/webhook-events.ts'
import type { CreatedWebhook, WebhookDelivery, WebhookList, WebhookView } from '../../contract/staff/webhooks.ts'
import { defineMessage, type MessageText, t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { joined } from '../format.ts'
import { ShownOnce } from '../parts/copy-button.tsx'
import { Cards, Choices, ConfirmButton, Form, Loaded, Section, Submit, TextField, Time } from '../parts/parts.tsx'
import { useForm } from '../use-call.ts'

const EVENT_TEXTS: Readonly<Record<WebhookEvent, MessageText>> = {
  'report.created': defineMessage('A visitor sent a report'),
  'source.failed': defineMessage('Reading a website failed'),
  'source.changed': defineMessage('A website changed'),
  'budget.threshold': defineMessage('80 % of a budget, or all of it, is used'),
  'backup.failed': defineMessage('A backup failed'),
  'problem.opened': defineMessage('Something needs attention'),
  'figures.daily': defineMessage('Figures of the day before'),
}
const STATE_TEXTS: Readonly<Record<WebhookDelivery['state'], MessageText>> = {
  pending: defineMessage('Waiting'),
  delivered: defineMessage('Delivered'),
  failed: defineMessage('Failed'),
}

const eventsOf = ({ events }: WebhookView) => joined(...events.map((event) => t(EVENT_TEXTS[event])))
const stateOf = ({ state, result }: WebhookDelivery) => joined(t(STATE_TEXTS[state]), result)

export function Webhooks(): ReactNode {
  return (
    <Section name={t('Webhooks')} className="tokens">
      <p>{t('A webhook sends events to another program, signed, and again for a day if it is away. No event has a visitor’s text.')}</p>
      <Loaded<WebhookList> path="webhooks">
        {({ webhooks, deliveries }) => (
          <>
            <Cards name={t('Webhooks')} items={webhooks}>
              {(webhook) => <Webhook key={webhook.id} webhook={webhook} />}
            </Cards>
            {deliveries.length > 0 && (
              <>
                <h3>{t('Deliveries')}</h3>
                <Cards name={t('Deliveries')} items={deliveries}>
                  {(delivery) => (
                    <Delivery
                      key={delivery.id}
                      delivery={delivery}
                      target={webhooks.find(({ id: webhook }) => webhook === delivery.webhook)?.url}
                    />
                  )}
                </Cards>
              </>
            )}
          </>
        )}
      </Loaded>
      <WebhookForm />
    </Section>
  )
}

function Webhook({ webhook }: { webhook: WebhookView }): ReactNode {
  const { id, url: name } = webhook
  return (
    <li>
      <h3 dir="ltr">{name}</h3>
      <p>{eventsOf(webhook)}</p>
      <ConfirmButton
        label={t('Delete “{name}”?', { name })}
        question={t('Delete “{name}”?', { name })}
        explanation={t('It gets no more events, not even those that wait.')}
        action={t('Delete')}
        act={() => call('DELETE', `webhooks/${id}`)}
      />
    </li>
  )
}

function Delivery({ delivery, target }: { delivery: WebhookDelivery; target: string | undefined }): ReactNode {
  const { event, createdAt, attempts } = delivery
  return (
    <li>
      <p>
        {t(EVENT_TEXTS[event])}
        {t(', ')}
        <Time at={createdAt} />
      </p>
      <p className="muted" dir="auto">
        {joined(stateOf(delivery), t.plural(attempts, '{count} attempt', '{count} attempts'), target)}
      </p>
    </li>
  )
}

function WebhookForm(): ReactNode {
  const [url, setUrl] = useState('https://')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(['report.created', 'problem.opened'])
  const [created, setCreated] = useState<CreatedWebhook | null>(null)
  const found = {
    url: !URL.canParse(url.trim()) && t('Enter an address that begins with https://.'),
    events: events.length === 0 && t('Choose at least one.'),
  }
  const { submit, isBusy, error, mistakes } = useForm(found, async () => {
    setCreated(await call<CreatedWebhook>('POST', 'webhooks', { url: url.trim(), events }))
    setUrl('https://')
  })
  return (
    <Form onSubmit={submit} name={t('Create a webhook')}>
      <h3>{t('Create a webhook')}</h3>
      <TextField label={t('Target')} error={mistakes.url} dir="ltr" type="url" maxLength={2_000} value={url} onChange={setUrl} />
      <fieldset>
        <legend>{t('Events')}</legend>
        <Choices all={WEBHOOK_EVENTS} chosen={events} nameOf={(one) => t(EVENT_TEXTS[one])} onChange={setEvents} />
        {mistakes.events && <p className="error">{mistakes.events}</p>}
      </fieldset>
      <Submit isDisabled={isBusy} error={error} text={t('Create a webhook')} />
      <ShownOnce text={created?.secret} label={t('Copy the secret')}>
        {t('With this secret, the program verifies signatures. Copy it now: it is not shown again.')}
      </ShownOnce>
    </Form>
  )
}
