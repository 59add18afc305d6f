import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** Suspends a process and its children; returns a function that resumes them. Linux only. */
export function freeze(pid: number): () => void {
  const frozen = familyOf(pid)
  for (const member of frozen) signal(member, 'SIGSTOP')
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

function familyOf(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(Number(name))]),
  )
  const childrenOf = (parent: number): number[] =>
    [...parents].filter(([, of]) => of === parent).flatMap(([child]) => [child, ...childrenOf(child)])
  return [pid, ...childrenOf(pid)]
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in parentheses and may contain spaces.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
