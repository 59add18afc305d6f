import { MutationCache, QueryCache, QueryClient, useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { StaffSession } from '../contract/staff/session.ts'
import { call, messageOf, Rejected } from './api.ts'
import { confirmed } from './passkeys.ts'

const POLL_INTERVAL_MS = 2_000
export const SESSION = ['session'] as const

const onError = (error: unknown) => {
  if (isSignedOut(error)) setSession(null)
}

/** Replies of the staff API by their path. Each action reads again what is shown, and forgets the rest. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError, onSettled: () => refresh() }),
  defaultOptions: {
    queries: { queryFn: ({ queryKey: [path] }) => call('GET', String(path)), retry: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** Reads again what is shown. */
function refresh(): Promise<void> {
  queryClient.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
  return queryClient.invalidateQueries()
}

/** Who is signed in from now on; `null` shows the sign-in and afterwards the same screen. */
export function setSession(session: StaffSession | null): void {
  queryClient.setQueryData(SESSION, session)
  queryClient.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
}

/**
 * Reads from the staff API, and again after each action, when the window gets the focus, and by itself while the reply `isChanging` or the
 * server, which may be restarting, can't be reached.
 */
export function useLoaded<Reply>(path: string, isChanging?: (reply: Reply) => boolean): UseQueryResult<Reply> {
  return useQuery<Reply>({
    queryKey: [path],
    refetchInterval({ state: { data, error } }) {
      const isAway = error instanceof Rejected && error.code === 'unreachable'
      return (isAway || (data !== undefined && isChanging?.(data) === true)) && POLL_INTERVAL_MS
    },
  })
}

/**
 * Runs actions one at a time. `error` is why the last one failed, `isBusy` whether one is running. If the sign-in is too old for a call of
 * an action, it is run again after the passkey.
 */
export function useAction(): { run: (action: () => Promise<unknown>) => void; isBusy: boolean; error: string } {
  const { mutate, isPending, error } = useMutation({ mutationFn: (action: () => Promise<unknown>) => confirmed(action) })
  return { run: mutate, isBusy: isPending, error: error && !isSignedOut(error) ? messageOf(error) : '' }
}

/** Texts of mistakes by what they are about; nothing where there is none. */
export type Mistakes<Name extends string> = Partial<Record<Name, string | false | undefined>>

/** A form that is sent once it has no mistakes. They are shown from the first attempt on. */
export function useForm<Name extends string>(mistakes: Mistakes<Name>, send: () => Promise<unknown>) {
  const [isChecked, setChecked] = useState(false)
  const { run, isBusy, error } = useAction()
  const submit = () => {
    const isWrong = Object.values(mistakes).some(Boolean)
    setChecked(isWrong)
    if (!isWrong) run(send)
  }
  const shown: Mistakes<Name> = isChecked ? mistakes : {}
  return { submit, run, isBusy, error, mistakes: shown }
}

function isSignedOut(error: unknown): boolean {
  return error instanceof Rejected && error.code === 'sign_in_required'
}
