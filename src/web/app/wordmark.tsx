import type { ReactNode } from 'react'
import { useConfiguration } from '../state/configuration.ts'

export function Wordmark({ name }: { name: string }): ReactNode {
  const logo = useConfiguration((configuration) => configuration?.branding.logo)
  return (
    <span className="wordmark">
      {logo ? <img src={logo} alt="" /> : <Sign />}
      {name}
    </span>
  )
}

const Sign = (): ReactNode => (
  <svg viewBox="0 0 28 26" aria-hidden="true">
    <path
      className="first"
      d="M2 9.500C2 4.900 6 2 10.500 2S19 4.900 19 9.500 15 17 10.500 17c-1 0-2-.1-2.900-.400L3 18.500l1-4.200A7 7 0 0 1 2 9.500Z"
    />
    <path
      className="second"
      d="M22 8.800c2.500 1.200 4 3.400 4 6 0 1.900-.800 3.500-2 4.700l.8 4.500-4.100-2.200c-.8.2-1.600.3-2.500.3-3 0-5.700-1.300-7-3.400"
    />
  </svg>
)
