import { type ReactNode, useState } from 'react'
import { MAX_BANNER_CHARACTERS } from '../../contract/banner-size.ts'
import type { BannerInForce } from '../../contract/staff/banner.ts'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { call } from '../api.ts'
import { ActionError, Form, Show, TextAreaField, Time } from '../parts/parts.tsx'
import { confirmed } from '../passkeys.ts'
import { useAction, useLoaded } from '../use-call.ts'

export function BannerSection({ canChange }: { canChange: boolean }): ReactNode {
  const query = useLoaded<BannerInForce>('banner')
  return (
    <section aria-labelledby="banner" className="banner-section">
      <h2 id="banner">{t('Banner for visitors')}</h2>
      <p>
        {t(
          'Shown above every chat, for example while something is out of service. Open pages show it within five minutes, new ones at once.',
        )}
      </p>
      <Show query={query}>
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
      </Show>
    </section>
  )
}

function BannerForm({ hasBanner }: { hasBanner: boolean }): ReactNode {
  const [text, setText] = useState('')
  const [mistake, setMistake] = useState('')
  const { run, isBusy, error } = useAction()
  const submit = () => {
    setMistake(text.trim() === '' ? t('Enter a text.') : '')
    if (text.trim() === '') return
    run(() => confirmed(() => call('POST', 'banner', { text })))
  }
  const remove = () => run(() => confirmed(() => call('DELETE', 'banner')))
  return (
    <Form onSubmit={submit} name={t('Change the banner')}>
      <TextAreaField
        label={t('Text of the banner')}
        hint={t('Plain text, at most {count} characters.', { count: MAX_BANNER_CHARACTERS })}
        error={mistake}
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
