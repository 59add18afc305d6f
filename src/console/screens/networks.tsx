import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { MAX_BLOCK_HOURS, MIN_REFUSALS } from '../../contract/staff/network-limits.ts'
import type { NetworkList } from '../../contract/staff/networks.ts'
import { Button } from '../../web/ui/button.tsx'
import { call } from '../api.ts'
import { ActionError, Confirm, Field, Show, Time } from '../parts.tsx'
import { confirmed } from '../passkeys.ts'
import { useAction, useLoaded } from '../use-call.ts'

type RefusedNetwork = NetworkList['refused'][number]
type Block = NetworkList['blocks'][number]

const NUMBER = new Intl.NumberFormat()
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const SHOWN_CHARACTERS = 8
const DEFAULT_HOURS = 24

/** Networks with many refused requests, and those that are blocked. */
export function Networks(): ReactNode {
  const { loaded, reload } = useLoaded<NetworkList>('networks')
  return (
    <section aria-labelledby="networks" className="figures">
      <h2 id="networks">Networks</h2>
      <p className="muted">
        A network is an IPv4 address or an IPv6 /64, shown as a hash that changes every day. It can be a household, but also a school or a
        whole mobile network. While it is blocked, its visitors can read, export and delete their chats, but not send anything, except
        messages about emergencies.
      </p>
      <Show loaded={loaded} reload={reload}>
        {({ refused, blocks }) => (
          <>
            {blocks.length > 0 && (
              <ul className="cards" aria-label="Blocked networks">
                {blocks.map((block) => (
                  <Blocked key={block.network} block={block} onChanged={reload} />
                ))}
              </ul>
            )}
            {refused.length === 0 ? (
              <p className="muted">
                No network had {MIN_REFUSALS} refused requests or more, today or yesterday (UTC). Those that have appear here within
                seconds.
              </p>
            ) : (
              <ul className="cards" aria-label="Networks with the most refused requests">
                {refused.map((network) => (
                  <Refused
                    key={network.network}
                    network={network}
                    isBlocked={blocks.some((block) => block.network === network.network)}
                    onChanged={reload}
                  />
                ))}
              </ul>
            )}
          </>
        )}
      </Show>
    </section>
  )
}

const nameOf = (network: string) => network.slice(0, SHOWN_CHARACTERS)

function Blocked({ block, onChanged }: { block: Block; onChanged: () => Promise<void> }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const { run, isBusy, error } = useAction()
  const name = nameOf(block.network)
  const unblock = () =>
    run(async () => {
      await confirmed(() => call('DELETE', `networks/${block.network}/block`))
      setAsking(false)
      await onChanged()
    })
  return (
    <li>
      <h3>
        <code>{name}</code> is blocked until <Time at={block.until} />
      </h3>
      <p dir="auto">{block.reason}</p>
      <p className="muted">
        Since <Time at={block.since} />, by <bdi>{block.by ?? 'somebody who was removed'}</bdi>
      </p>
      <Button look="outline" className="small" aria-label={`Unblock ${name}`} onClick={() => setAsking(true)}>
        Unblock
      </Button>
      {isAsking && (
        <Confirm
          question={`Unblock ${name}?`}
          explanation="Its visitors can send messages again at once."
          action="Unblock"
          isBusy={isBusy}
          error={error}
          onConfirm={unblock}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}

interface RefusedProps {
  network: RefusedNetwork
  isBlocked: boolean
  onChanged(): Promise<void>
}

function Refused({ network, isBlocked, onChanged }: RefusedProps): ReactNode {
  const [isBlocking, setBlocking] = useState(false)
  const name = nameOf(network.network)
  return (
    <li>
      <h3>
        {NUMBER.format(network.refusals)} refused requests from <code>{name}</code>
      </h3>
      <p>{network.reasons.map(({ code, count }) => `${code.replaceAll('_', ' ')} ${NUMBER.format(count)}`).join(', ')}</p>
      <p className="muted">
        {DAY.format(Date.parse(network.day))} (UTC){isBlocked && ', blocked'}
      </p>
      {!isBlocked && !isBlocking && (
        <Button look="outline" className="small" aria-label={`Block ${name}`} onClick={() => setBlocking(true)}>
          Block
        </Button>
      )}
      {!isBlocked && isBlocking && <BlockForm network={network.network} onBlocked={onChanged} onClose={() => setBlocking(false)} />}
    </li>
  )
}

interface BlockFormProps {
  network: string
  onBlocked(): Promise<void>
  onClose(): void
}

/** What was typed stays until the block is in force. */
function BlockForm({ network, onBlocked, onClose }: BlockFormProps): ReactNode {
  const [hours, setHours] = useState(String(DEFAULT_HOURS))
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const { run, isBusy, error } = useAction()
  const wanted = /^\d{1,3}$/.test(hours.trim()) ? Number(hours) : 0
  const hoursMistake = wanted < 1 || wanted > MAX_BLOCK_HOURS ? `Enter a whole number from 1 to ${MAX_BLOCK_HOURS}.` : ''
  const reasonMistake = reason.trim() === '' ? 'Enter a reason.' : ''
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setChecked(true)
    if (hoursMistake || reasonMistake) return
    run(async () => {
      await confirmed(() => call('POST', `networks/${network}/block`, { hours: wanted, reason: reason.trim() }))
      await onBlocked()
      onClose()
    })
  }
  return (
    <form onSubmit={submit} noValidate aria-label={`Block ${nameOf(network)}`}>
      <Field label="Hours" hint={`At most ${MAX_BLOCK_HOURS}. You can unblock it at any time.`} error={isChecked ? hoursMistake : ''}>
        {(ids) => <input {...ids} inputMode="numeric" maxLength={3} value={hours} onChange={({ target }) => setHours(target.value)} />}
      </Field>
      <Field label="Reason" hint="For your colleagues. Visitors don’t read it." error={isChecked ? reasonMistake : ''}>
        {(ids) => <input {...ids} dir="auto" maxLength={200} value={reason} onChange={({ target }) => setReason(target.value)} />}
      </Field>
      <div className="actions">
        <Button look="solid" type="submit" disabled={isBusy}>
          Block
        </Button>
        <Button look="outline" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
      </div>
      <ActionError message={error} />
    </form>
  )
}
