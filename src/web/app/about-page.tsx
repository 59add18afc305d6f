import { type ReactNode, useEffect, useId, useState } from 'react'
import type { AnswerTimes, Scorecard, ScorecardFigures } from '../../contract/scorecard.ts'
import { failureSentence } from '../api/failure.ts'
import type { Outcome } from '../api/request.ts'
import { fetchScorecard } from '../api/scorecard-calls.ts'
import { useLanguage } from '../language/language.ts'
import { LanguageSwitch } from '../language/language-switch.tsx'
import { t, useTranslate } from '../language/translate.ts'
import { Button } from '../ui/button.tsx'
import { chatAddress } from './location.ts'
import { ThemeSwitch } from './theme-switch.tsx'
import { Wordmark } from './wordmark.tsx'
import './about-page.css'

/** What the operator publishes about the answers, in plain words. */
export default function AboutPage({ name }: { name: string }): ReactNode {
  useTranslate()
  const { scorecard, reload } = useScorecard()
  const title = t('About this assistant')
  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])
  return (
    <main className="about">
      <header>
        <Wordmark name={name} />
        <LanguageSwitch />
        <ThemeSwitch />
      </header>
      <h1>{title}</h1>
      <p>
        {t('You’re chatting with an AI.')} {t('AI can make mistakes. Check important information.')}
      </p>
      {!scorecard && (
        <p className="muted" role="status">
          {t('Loading…')}
        </p>
      )}
      {scorecard?.ok === false && (
        <div role="alert">
          <p>{failureSentence(scorecard.code)}</p>
          <Button variant="outline" icon="retry" onClick={reload}>
            {t('Try again')}
          </Button>
        </div>
      )}
      {scorecard?.ok && (scorecard.value.figures ? <Figures figures={scorecard.value.figures} /> : <NoFigures />)}
      <a className="button solid" href={chatAddress()}>
        {t('Go to the chat')}
      </a>
    </main>
  )
}

const NoFigures = (): ReactNode => (
  <p>{t('There are no figures yet. They appear after the first hundred messages, or when the month is over.')}</p>
)

function Figures({ figures: { from, to, prompts, useful, notCovered, times } }: { figures: ScorecardFigures }): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{rangeOf(from, to)}</h2>
      <dl>
        {prompts !== undefined && (
          <Figure name={t('Messages')} value={t.number(prompts)}>
            {t('What all visitors have sent.')}
          </Figure>
        )}
        {useful !== undefined && (
          <Figure name={t('Useful answers')} value={shareOf(useful)}>
            {t(
              'Messages that were answered, or referred to the right place, and whose answer the visitor neither rated as bad nor asked for again within ten minutes.',
            )}
          </Figure>
        )}
        {notCovered !== undefined && (
          <Figure name={t('Not covered')} value={shareOf(notCovered)}>
            {t('Messages that the assistant’s documents don’t answer. It then says that it doesn’t know.')}
          </Figure>
        )}
        {times && (
          <>
            <Figure name={t('First words')} value={medianOf(times.firstText)}>
              {t('Half of the answers begin within this time.')}{' '}
              {times.firstText?.p95 && t('95% begin within {time}.', { time: secondsOf(times.firstText.p95) })}
            </Figure>
            <Figure name={t('Whole answer')} value={medianOf(times.wholeAnswer)}>
              {t('Half of the answers are complete within this time.')}{' '}
              {times.wholeAnswer?.p95 && t('95% are complete within {time}.', { time: secondsOf(times.wholeAnswer.p95) })}
            </Figure>
          </>
        )}
      </dl>
      <p className="muted">
        {t(
          'These are totals for all visitors, and contain no messages. They’re updated once a day. Counts below five are never shown, to protect individual visitors.',
        )}
      </p>
    </section>
  )
}

function Figure({ name, value, children }: { name: string; value: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="figure">{value}</dd>
      <dd className="muted">{children}</dd>
    </div>
  )
}

/** `undefined` while loading. */
function useScorecard(): { scorecard: Outcome<Scorecard> | undefined; reload: () => void } {
  const [scorecard, setScorecard] = useState<Outcome<Scorecard>>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    fetchScorecard(leaving.signal)
      .then(setScorecard)
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) console.error(error)
      })
    return () => leaving.abort()
  }, [attempt])
  const reload = () => {
    setScorecard(undefined)
    setAttempt(attempt + 1)
  }
  return { scorecard, reload }
}

function rangeOf(from: string, to: string): string {
  const format = new Intl.DateTimeFormat(useLanguage.getState().locale, { dateStyle: 'long', timeZone: 'UTC' })
  return format.formatRange(Date.parse(from), Date.parse(to))
}

const shareOf = (perCent: number | null) => (perCent === null ? t('Too few to tell') : formatted(perCent / 100, { style: 'percent' }))
const secondsOf = (ms: number) => formatted(ms / 1000, { style: 'unit', unit: 'second', unitDisplay: 'long' })

function medianOf(times: AnswerTimes): string {
  if (!times) return t('Too few to tell')
  return times.median === null ? t('More than 2 minutes') : secondsOf(times.median)
}

const formatted = (value: number, options: Intl.NumberFormatOptions) => value.toLocaleString(useLanguage.getState().locale, options)
