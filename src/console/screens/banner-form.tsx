import { type ReactNode, useState } from 'react'
import { MAX_BANNER_CHARACTERS } from '../../contract/banner-size.ts'
import type { BannerInForce } from '../../contract/staff/banner.ts'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { call } from '../api.ts'
import { ActionError, Form, Loaded, Section, TextAreaField, Time } from '../parts/parts.tsx'
import { useForm } from '../use-call.ts'

export function BannerSection({ canChange }: { canChange: boolean }): ReactNode {
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
