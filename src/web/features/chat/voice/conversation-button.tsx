import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { FilePart } from '../../../../contract/parts/file.ts'
import { t, useTranslate } from '../../../language/translate.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { OutlineButton } from '../outline-button.tsx'
import { askBeforeListening } from './recognize-speech.ts'
import { canReadAloud, recognitionType } from './speech-support.ts'

const ConversationPanel = lazyPart(() => import('./conversation-panel.tsx'))

const HEADPHONES =
  'M3.500 13v-2.500a6.500 6.500 0 0 1 13 0V13M3.500 12.500h2.250v4H5a1.500 1.500 0 0 1-1.500-1.500zM16.500 12.500h-2.250v4H15a1.500 1.500 0 0 0 1.500-1.500z'

/** Begins and ends a conversation by voice, where the browser can listen and speak. */
export function ConversationButton({ onSend }: { onSend(prompt: string, files: FilePart[]): void }): ReactNode {
  useTranslate()
  const button = useRef<HTMLButtonElement>(null)
  /** `null` while there is no conversation. */
  const [isLocal, setLocal] = useState<boolean | null>(null)
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  const Type = recognitionType()
  if (!Type || !canReadAloud()) return null
  const begin = (isOnDevice: boolean) => isMounted.current && setLocal(isOnDevice)
  const end = (hadFocus: boolean) => {
    setLocal(null)
    if (hadFocus) button.current?.focus()
  }
  const press = () => {
    if (isLocal === null) askBeforeListening(Type, begin).catch(console.error)
    else setLocal(null)
  }
  return (
    <>
      <OutlineButton ref={button} outline={HEADPHONES} label={t('Voice conversation')} aria-pressed={isLocal !== null} onClick={press} />
      {isLocal !== null && (
        <Suspense fallback={null}>
          <ConversationPanel Type={Type} isLocal={isLocal} onSend={onSend} onEnd={end} />
        </Suspense>
      )}
    </>
  )
}
