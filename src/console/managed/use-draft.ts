import { useState } from 'react'
import { Rejected } from '../api.ts'
import { useAction } from '../use-call.ts'

export interface StoredDraft<Content, Problem = never> {
  content: Content
  revision: number
  /** Name of who saved it; `null` if nobody has, or if that isn't known. */
  by: string | null
  problems: readonly Problem[]
}

interface DraftOptions<Content, Problem> {
  stored: StoredDraft<Content, Problem>
  /** Without it, the same value. */
  isSame?: (one: Content, other: Content) => boolean
  write: (content: Content, basedOn: number) => Promise<unknown>
  /** Reads the stored draft; `null` if it is gone. */
  read: () => Promise<StoredDraft<Content, Problem> | null>
  check?: (content: Content) => Promise<readonly Problem[]>
}

export type Draft<Content, Problem = never> = ReturnType<typeof useDraft<Content, Problem>>

/** Keeps what is typed beside the draft that it began from. If somebody else has saved meanwhile, both stay until one is chosen. */
export function useDraft<Content, Problem = never>(options: DraftOptions<Content, Problem>) {
  const { stored, isSame = Object.is, write, read, check } = options
  const [content, setContent] = useState(stored.content)
  const [base, setBase] = useState(stored)
  const [checked, setChecked] = useState<{ content: Content; problems: readonly Problem[] }>(stored)
  const [theirs, setTheirs] = useState<StoredDraft<Content, Problem> | null>(null)
  const [isSaved, setSaved] = useState(false)
  const { run, isBusy, error } = useAction()
  const take = (draft: StoredDraft<Content, Problem>) => {
    setBase(draft)
    setChecked(draft)
    setTheirs(null)
  }
  const isChanged = !isSame(content, base.content)
  // What is loaded later replaces what nobody has typed over, and never what somebody has.
  if (stored.revision > base.revision && (!isChanged || isSame(stored.content, base.content))) {
    setBase(stored)
    if (!isChanged) setContent(stored.content)
  }
  return {
    content,
    setContent: (changed: Content) => {
      setSaved(false)
      setContent(changed)
    },
    base,
    checked,
    theirs,
    isChanged,
    isSaved,
    isBusy,
    error,
    save: (changed = content) =>
      run(async () => {
        try {
          await write(changed, (theirs ?? base).revision)
        } catch (cause) {
          if (!(cause instanceof Rejected) || cause.code !== 'changed_meanwhile') throw cause
        }
        const now = await read()
        const isMine = now !== null && isSame(now.content, changed)
        if (isMine) take(now)
        else setTheirs(now)
        setSaved(isMine)
      }),
    check: () =>
      run(async () => {
        if (check) setChecked({ content, problems: await check(content) })
      }),
    useTheirs: () => {
      if (!theirs) return
      setContent(theirs.content)
      take(theirs)
    },
  }
}
