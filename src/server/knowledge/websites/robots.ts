import robotsParser from 'robots-parser'

/** The name that sites can address in robots.txt, and that requests carry. */
export const USER_AGENT = 'ParleyBot'
/** Longer delays would make a run last for days. */
const MAX_DELAY_S = 60

/** Rules of a site's robots.txt. */
export interface Robots {
  isAllowed(address: string): boolean
  /** Seconds between two requests; 0 if the site asks for none. */
  delayS: number
}

/** Nothing is allowed while robots.txt can't be read, and everything where there is none: RFC 9309, section 2.3.1. */
export const CLOSED: Robots = { isAllowed: () => false, delayS: 0 }
export const OPEN: Robots = { isAllowed: () => true, delayS: 0 }

/** Reads the text of a robots.txt at `address`. */
export function readRobots(address: string, text: string): Robots {
  // The package is CommonJS, whose function is the default export.
  const robots = (robotsParser as unknown as (url: string, text: string) => ParsedRobots)(address, text)
  return {
    isAllowed: (page) => robots.isAllowed(page, USER_AGENT) !== false,
    delayS: Math.min(MAX_DELAY_S, Math.max(0, robots.getCrawlDelay(USER_AGENT) ?? 0)),
  }
}

interface ParsedRobots {
  isAllowed(url: string, agent: string): boolean | undefined
  getCrawlDelay(agent: string): number | undefined
}
