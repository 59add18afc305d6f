import { type ReactNode, useState } from 'react'
import type { StopInForce, StopList } from '../../contract/staff/stops.ts'
import { t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { ActionError, Cards, ConfirmButton, Form, Loaded, Section, TextAreaField, Time } from '../parts/parts.tsx'
import { useStaff } from '../staff-context.ts'
import { described, NewStopForm } from './new-stop-form.tsx'
import { MAX_BANNER_CHARACTERS } from '../../contract/banner-size.ts'
import type { BannerInForce } from '../../contract/staff/banner.ts'
import { Button } from '../../ui/button.tsx'
import { useForm } from '../use-call.ts'

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

function BannerSection({ canChange }: { canChange: boolean }): ReactNode {
  return (
    <Section name={t('Banner for visitors')} className="banner-section">
      <p>
        {t(
          'Shown above every chat, for example while something is out of service. Open pages show it within five minutes, new ones at once.',
        )}
      </p>
      <Loaded<BannerInForce> path="banner">
        {({ banner }) => (
          <>
            {banner ? (
              <div className="notice">
                <p dir="auto">{banner.text}</p>
                <p className="muted">{t.with('Since {time}', { time: <Time at={banner.since} /> })}</p>
              </div>
            ) : (
              <p className="good">{t('There is no banner.')}</p>
            )}
            {canChange && <BannerForm key={banner?.since} hasBanner={banner !== null} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function BannerForm({ hasBanner }: { hasBanner: boolean }): ReactNode {
  const [text, setText] = useState('')
  const form = useForm({ text: text.trim() === '' && t('Enter a text.') }, () => call('POST', 'banner', { text }))
  const { submit, run, isBusy, error, mistakes } = form
  const remove = () => run(() => call('DELETE', 'banner'))
  return (
    <Form onSubmit={submit} name={t('Change the banner')}>
      <TextAreaField
        label={t('Text of the banner')}
        hint={t('Plain text, at most {count} characters.', { count: MAX_BANNER_CHARACTERS })}
        error={mistakes.text}
        dir="auto"
        rows={2}
        maxLength={MAX_BANNER_CHARACTERS}
        value={text}
        onChange={setText}
      />
      <div className="actions">
        <Button variant="solid" type="submit" disabled={isBusy}>
          {t('Show the banner')}
        </Button>
        {hasBanner && (
          <Button variant="outline" disabled={isBusy} onClick={remove}>
            {t('Remove the banner')}
          </Button>
        )}
      </div>
      <ActionError message={error} />
    </Form>
  )
}
