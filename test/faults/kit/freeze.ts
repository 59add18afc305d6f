import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** Suspends a process and its children; returns a function that resumes them. Linux only. */
export function freeze(pid: number): () => void {
  const frozen: number[] = []
  const stop = (member: number) => {
    signal(member, 'SIGSTOP')
    // Until it has stopped, it may start another child.
    while (/[RSD]/.test(statOf(member)?.state ?? '')) Atomics.wait(SLEEP, 0, 0, 1)
    frozen.push(member)
    for (const child of childrenOf(member)) stop(child)
  }
  stop(pid)
  return () => {
    for (const member of frozen) signal(member, 'SIGCONT')
  }
}

/** Suspends a process for a while, like a blocked event loop or a paused machine. */
export async function freezeFor(pid: number, ms: number): Promise<void> {
  const thaw = freeze(pid)
  try {
    await pause(ms)
  } finally {
    thaw()
  }
}

const SLEEP = new Int32Array(new SharedArrayBuffer(4))

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.parent === parent)

/** State and parent of a process, if there is one. */
function statOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in parentheses and may contain spaces.
    const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
