import { type ReactNode, useRef, useState } from 'react'
import type { ExportDocument } from '../../../contract/chat/export.ts'
import type { FailureCode } from '../../api/failure.ts'
import { importChats } from '../../api/rights-calls.ts'
import { t, useTranslate } from '../../../ui/language/translate.ts'
import { useApplication } from '../../state/application-store.ts'
import { Button } from '../../../ui/button.tsx'
import { dataFailureSentence } from './failure-note.tsx'

/** Retries while the server's import slots are taken. */
const MAX_WAITS = 5
const WAIT_MS = 2_000

interface Counts {
  imported: number
  skipped: number
  tooLarge: number
}

type Progress =
  | { status: 'idle' }
  | { status: 'reading' }
  | { status: 'sending'; done: number; total: number }
  | { status: 'done'; counts: Counts }
  | { status: 'rejected'; sentence: string }

/** Imports chats from an export file. Skips chats that exist already. */
export function ImportChats({ onImported }: { onImported(): void }): ReactNode {
  useTranslate()
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy)
  const [progress, setProgress] = useState<Progress>({ status: 'idle' })
  const input = useRef<HTMLInputElement>(null)
  const isBusy = progress.status === 'reading' || progress.status === 'sending'
  const take = async (file: File) => {
    setProgress({ status: 'reading' })
    setProgress(await bringIn(file, setProgress))
    onImported()
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".zip,.json,application/zip,application/json"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) take(file).catch(console.error)
          target.value = ''
        }}
      />
      <Button variant="outline" disabled={isBusy || !accepts} onClick={() => input.current?.click()}>
        {t('Import chats')}
      </Button>
      <div role="status" className="wide-row">
        {!accepts && <p className="muted">{t('To import chats, accept the privacy notice first.')}</p>}
        {progress.status === 'reading' && <p>{t('Reading the file…')}</p>}
        {progress.status === 'sending' && (
          <p>
            <progress value={progress.done} max={progress.total} aria-label={t('Imported')} />{' '}
            {t('{done} of {total}', { done: progress.done, total: progress.total })}
          </p>
        )}
        {progress.status === 'done' && <p>{resultSentence(progress.counts)}</p>}
      </div>
      {progress.status === 'rejected' && (
        <p role="alert" className="bad wide-row">
          {progress.sentence}
        </p>
      )}
    </>
  )
}

async function bringIn(file: File, onProgress: (progress: Progress) => void): Promise<Progress> {
  // The ZIP reader is loaded on demand.
  const { readExport } = await import('./read-export.ts')
  const read = await readExport(file)
  if (!read.ok) return { status: 'rejected', sentence: read.sentence }
  const counts: Counts = { imported: 0, skipped: 0, tooLarge: read.tooLarge }
  for (const part of read.parts) {
    onProgress({ status: 'sending', done: counts.imported + counts.skipped, total: read.chats })
    const outcome = await sendPart(part)
    if (!outcome.ok) return { status: 'rejected', sentence: brokenOff(outcome.code, counts) }
    counts.imported += outcome.value.imported
    counts.skipped += outcome.value.skipped
  }
  return { status: 'done', counts }
}

async function sendPart(part: ExportDocument) {
  for (let waits = 0; ; waits++) {
    const outcome = await importChats(part)
    if (outcome.ok || outcome.code !== 'data_busy' || waits === MAX_WAITS) return outcome
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
}

function brokenOff(code: FailureCode, { imported, skipped }: Counts): string {
  const why =
    code === 'invalid_request'
      ? t('A chat in this file isn’t in the export format. The file may have been changed.')
      : dataFailureSentence(code)
  const done = imported + skipped
  const what =
    done === 0
      ? t('Nothing was imported.')
      : t.plural(
          done,
          '{count} chat was imported. Choose the file again for the rest.',
          '{count} chats were imported. Choose the file again for the rest.',
        )
  return `${why} ${what}`
}

function resultSentence({ imported, skipped, tooLarge }: Counts): string {
  const sentences = [
    imported > 0 ? t.plural(imported, '{count} chat imported.', '{count} chats imported.') : t('The file had nothing new.'),
  ]
  if (skipped > 0) sentences.push(t.plural(skipped, '{count} chat was already imported.', '{count} chats were already imported.'))
  if (tooLarge > 0) sentences.push(t.plural(tooLarge, '{count} chat is too large to import.', '{count} chats are too large to import.'))
  return sentences.join(' ')
}
