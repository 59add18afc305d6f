import type { ReactNode } from 'react'
import type { StopInForce, StopList } from '../../contract/staff/stops.ts'
import { t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { Cards, ConfirmButton, Loaded, Time } from '../parts/parts.tsx'
import { useStaff } from '../staff-context.ts'
import { BannerSection } from './banner-form.tsx'
import { described, NewStopForm } from './new-stop-form.tsx'

export function Stops(): ReactNode {
  const canChange = useStaff().may('change-stops')
  return (
    <>
      <p>{t('Visitors read your text instead of an answer. A stop is live within a second, also for answers that are being written.')}</p>
      <section aria-label={t('Active now')} className="figures" aria-live="polite">
        <Loaded<StopList> path="stops">
          {({ stops }) => (
            <Cards name={t('Stops')} items={stops} empty={<p className="good">{t('Nothing is stopped.')}</p>}>
              {(stop) => <InForce key={stop.id} stop={stop} canChange={canChange} />}
            </Cards>
          )}
        </Loaded>
      </section>
      {canChange && <NewStopForm />}
      <BannerSection canChange={canChange} />
    </>
  )
}

function InForce({ stop, canChange }: { stop: StopInForce; canChange: boolean }): ReactNode {
  return (
    <li>
      <h2>{described(stop)}</h2>
      {stop.examples.length > 0 && (
        <ul className="examples">
          {stop.examples.map((example) => (
            <li key={example} dir="auto">
              {example}
            </li>
          ))}
        </ul>
      )}
      <p dir="auto">{stop.reply ?? t('Visitors read a general sentence in their language.')}</p>
      <p className="muted">{t.with('Since {time}: {reason}', { time: <Time at={stop.since} />, reason: <bdi>{stop.reason}</bdi> })}</p>
      {canChange && (
        <ConfirmButton
          question={described(stop)}
          explanation={t('New prompts are answered again at once.')}
          action={t('Resume')}
          act={() => call('DELETE', `stops/${stop.id}`)}
        />
      )}
    </li>
  )
}
