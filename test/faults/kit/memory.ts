import { readFileSync, writeFileSync } from 'node:fs'

/** Resident memory of a process in bytes: current, and peak since `forgetPeak`. Linux only. */
export function residentBytes(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kibibytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1])
  return { now: kibibytes('VmRSS') * 1024, peak: kibibytes('VmHWM') * 1024 }
}

/** Resets the peak. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
