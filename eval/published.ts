import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Published sets, `<name>.json.gz` in a folder that isn't part of the project, with their publishers. */
export const PUBLISHED = {
  'service-prompts':
    'BANKING77 https://github.com/PolyAI-LDN/task-specific-datasets, CLINC150 https://github.com/clinc/oos-eval, HINT3 https://github.com/hellohaptik/HINT3',
  emergencies: 'AILuminate https://github.com/mlcommons/ailuminate, OpenAI moderation https://github.com/openai/moderation-api-release',
  'sentences-by-language': 'lingua https://github.com/pemistahl/lingua',
  support: 'WiCE https://github.com/ryokamoi/wice, SummEdits https://github.com/salesforce/factualNLG',
  paraphrases: 'COVID-QA https://github.com/deepset-ai/COVID-QA',
  xquad: 'XQuAD https://github.com/google-deepmind/xquad',
  'mtrag-govt': 'MTRAG https://github.com/IBM/mt-rag-benchmark',
  'mtrag-clapnq': 'MTRAG https://github.com/IBM/mt-rag-benchmark',
} as const

/** A figure beside its baseline. */
export interface Figure {
  set: string
  what: string
  parley: string
  baseline: string
}

/** The folder lacks a set. */
export class SetMissing extends Error {}

/** A set of published data. */
export function readPublished(folder: string, name: keyof typeof PUBLISHED): unknown {
  const file = join(folder, `${name}.json.gz`)
  if (!existsSync(file)) throw new SetMissing(`${file} is missing; it is made from ${PUBLISHED[name]}`)
  return JSON.parse(gunzipSync(readFileSync(file)).toString())
}

/** Prompts to services by the authors of BANKING77, CLINC150 and HINT3, of which none is an emergency. */
export function servicePrompts(folder: string): string[] {
  const sets = readPublished(folder, 'service-prompts') as {
    banking77: [string, string][]
    clinc: [string, string][]
    clinc_out_of_scope: string[]
    hint3: Record<string, [string, string][]>
  }
  return [...[...sets.banking77, ...sets.clinc, ...Object.values(sets.hint3).flat()].map(([text]) => text), ...sets.clinc_out_of_scope]
}

/** A share in percent, as `12 %`. */
export const percent = (share: number): string => (Number.isNaN(share) ? '–' : `${Math.round(share * 100)} %`)
