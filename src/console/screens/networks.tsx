import { type ReactNode, useState } from 'react'
import { MAX_BLOCK_HOURS, MIN_REJECTIONS } from '../../contract/staff/network-limits.ts'
import type { NetworkList } from '../../contract/staff/networks.ts'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { call } from '../api.ts'
import { Cards, ConfirmButton, Field, Form, Show, Submit, Time } from '../parts/parts.tsx'
import { confirmed } from '../passkeys.ts'
import { useAction, useLoaded } from '../use-call.ts'
import { dayOf, joined } from '../format.ts'
import { reasonName } from '../reason-names.ts'

type RejectedNetwork = NetworkList['rejected'][number]
type Block = NetworkList['blocks'][number]

const SHOWN_CHARACTERS = 8
const DEFAULT_HOURS = 24

/** Networks with many rejected requests, and those that are blocked. */
export function Networks(): ReactNode {
  const query = useLoaded<NetworkList>('networks')
  return (
    <section aria-labelledby="networks" className="figures">
      <h2 id="networks">{t('Networks')}</h2>
      <p className="muted">
        {t(
          'A network is an IPv4 address or an IPv6 /64, shown as a hash that changes every day. It can be a household, but also a school or a whole mobile network. While it is blocked, its visitors can read, export and delete their chats, but not send anything, except messages about emergencies.',
        )}
      </p>
      <Show query={query}>
        {({ rejected, blocks }) => (
          <>
            <Cards name={t('Blocked networks')} items={blocks}>
              {(block) => <Blocked key={block.network} block={block} />}
            </Cards>
            <Cards
              name={t('Networks with the most rejected requests')}
              items={rejected}
              empty={
                <p className="muted">
                  {t(
                    'No network had {count} rejected requests or more, today or yesterday (UTC). Those that have appear here within seconds.',
                    { count: MIN_REJECTIONS },
                  )}
                </p>
              }
            >
              {(network) => (
                <Refused key={network.network} network={network} isBlocked={blocks.some((block) => block.network === network.network)} />
              )}
            </Cards>
          </>
        )}
      </Show>
    </section>
  )
}

const nameOf = (network: string) => network.slice(0, SHOWN_CHARACTERS)
const reasonsOf = ({ reasons }: RejectedNetwork) => joined(...reasons.map(({ code, count }) => `${reasonName(code)} ${t.number(count)}`))
const blockerOf = ({ by }: Block) => by ?? t('someone who was removed')

function Blocked({ block }: { block: Block }): ReactNode {
  const name = nameOf(block.network)
  return (
    <li>
      <h3>{t.with('{network} is blocked until {time}', { network: <code dir="ltr">{name}</code>, time: <Time at={block.until} /> })}</h3>
      <p dir="auto">{block.reason}</p>
      <p className="muted">
        {t.with('Since {time}, by {name}', {
          time: <Time at={block.since} />,
          name: <bdi>{blockerOf(block)}</bdi>,
        })}
      </p>
      <ConfirmButton
        label={t('Unblock {network}', { network: name })}
        question={t('Unblock {network}?', { network: name })}
        explanation={t('Its visitors can send messages again at once.')}
        action={t('Unblock')}
        act={() => call('DELETE', `networks/${block.network}/block`)}
      />
    </li>
  )
}

function Refused({ network, isBlocked }: { network: RejectedNetwork; isBlocked: boolean }): ReactNode {
  const [isBlocking, setBlocking] = useState(false)
  const name = nameOf(network.network)
  return (
    <li>
      <h3>
        {t.with('{count} rejected requests from {network}', {
          count: t.number(network.rejections),
          network: <code dir="ltr">{name}</code>,
        })}
      </h3>
      <p>{reasonsOf(network)}</p>
      <p className="muted">{joined(`${dayOf(network.day)} (UTC)`, isBlocked && t('blocked'))}</p>
      {!isBlocked && !isBlocking && (
        <Button variant="outline" className="small" aria-label={t('Block {network}', { network: name })} onClick={() => setBlocking(true)}>
          {t('Block')}
        </Button>
      )}
      {!isBlocked && isBlocking && <BlockForm network={network.network} onClose={() => setBlocking(false)} />}
    </li>
  )
}

/** Form that keeps its input until the block is in force. */
function BlockForm({ network, onClose }: { network: string; onClose(): void }): ReactNode {
  const [hours, setHours] = useState(String(DEFAULT_HOURS))
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const { run, isBusy, error } = useAction()
  const wanted = /^\d{1,3}$/.test(hours.trim()) ? Number(hours) : 0
  const hoursMistake =
    wanted < 1 || wanted > MAX_BLOCK_HOURS ? t('Enter a whole number from {min} to {max}.', { min: 1, max: MAX_BLOCK_HOURS }) : ''
  const reasonMistake = reason.trim() === '' ? t('Enter a reason.') : ''
  const submit = () => {
    setChecked(true)
    if (hoursMistake || reasonMistake) return
    run(async () => {
      await confirmed(() => call('POST', `networks/${network}/block`, { hours: wanted, reason: reason.trim() }))
      onClose()
    })
  }
  return (
    <Form onSubmit={submit} name={t('Block {network}', { network: nameOf(network) })}>
      <Field
        label={t('Hours')}
        hint={t('At most {count}. You can unblock it at any time.', { count: MAX_BLOCK_HOURS })}
        error={isChecked ? hoursMistake : ''}
      >
        {(ids) => <input {...ids} inputMode="numeric" maxLength={3} value={hours} onChange={({ target }) => setHours(target.value)} />}
      </Field>
      <Field label={t('Reason')} hint={t('For your colleagues. Visitors don’t read it.')} error={isChecked ? reasonMistake : ''}>
        {(ids) => <input {...ids} dir="auto" maxLength={200} value={reason} onChange={({ target }) => setReason(target.value)} />}
      </Field>
      <Submit isDisabled={isBusy} error={error} text={t('Block')} onClose={onClose} />
    </Form>
  )
}
