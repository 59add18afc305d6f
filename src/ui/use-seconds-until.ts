import { useEffect, useState } from 'react'

/** Whole seconds until a time, counted down to 0. */
export function useSecondsUntil(time: string): number {
  const remaining = () => Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(remaining)
  useEffect(() => {
    setSeconds(remaining())
    const timer = setInterval(() => setSeconds(remaining()), 1000)
    return () => clearInterval(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- `remaining` depends on the time alone
  }, [time])
  return seconds
}

/** Minutes and seconds: `1:05`. */
export const clockOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
