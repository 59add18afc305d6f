import type { ReactNode } from 'react'

/** Outlines on a 20 × 20 grid, in the text colour. */
const OUTLINES = {
  menu: 'M3.500 6h13M3.500 10h13M3.500 14h8',
  plus: 'M10 4.500v11M4.500 10h11',
  enlarge: 'M11.500 4H16v4.500M16 4l-4.800 4.800M8.500 16H4v-4.500M4 16l4.800-4.800',
  download: 'M10 3.500V12m-4-3.500 4 4 4-4M4 13.500V16h12v-2.500',
  close: 'm5.500 5.500 9 9m0-9-9 9',
  send: 'M10 16V4.500m-5 4.800 5-4.900 5 4.900',
  stop: 'M6 6h8v8H6z',
  copy: 'M7.500 7.500h8.500v8.500H7.500zM12.500 4.500V4H4v8.500h.5',
  check: 'm4.500 10.500 3.700 3.700 7.300-8.200',
  retry: 'M15.800 8.500A6.200 6.200 0 1 0 16 11.800M16.300 4.500v4.200h-4.200',
  edit: 'm4.500 15.500.7-3.200 8-8 2.500 2.500-8 8zM11.500 6l2.500 2.500',
  down: 'M10 4v11.500m-5-4.800 5 4.900 5-4.900',
  bin: 'M4.500 6h11M8 6V4h4v2m-6 0 .6 10h6.800L14 6',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
  chevron: 'm7.500 5 5 5-5 5',
  sidebar: 'M3.500 4.500h13v11h-13zM8 4.500v11',
  light:
    'M10 6.800a3.200 3.200 0 1 0 0 6.400 3.200 3.200 0 0 0 0-6.400ZM10 2.500v1.300m0 12.400v1.300M2.500 10h1.300m12.400 0h1.300M4.700 4.700l.9.9m8.800 8.800.9.900m0-10.600-.9.9m-8.800 8.800-.9.900',
  dark: 'M16 11.800A6.500 6.500 0 0 1 8.200 4a6.500 6.500 0 1 0 7.800 7.800Z',
  system: 'M3.500 4.500h13v8.500h-13zM7 16.500h6M10 13v3.500',
  alert: 'M10 3.500 17 16H3zM10 8.500v3.500m0 2.200v.1',
  offline:
    'M3 3.500l14 13M6 11.500a6 6 0 0 1 2.700-1.500m4.300 1c.4.200.700.300 1 .5M3.500 8.500A9.500 9.500 0 0 1 6.300 6.700m3.500-.7c2.500 0 4.800.9 6.700 2.500M10 15v.1',
} as const

export type IconName = keyof typeof OUTLINES

export function Icon({ name }: { name: IconName }): ReactNode {
  return (
    <svg className={`icon ${name}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d={OUTLINES[name]} />
    </svg>
  )
}
