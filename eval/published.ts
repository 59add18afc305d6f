import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** A set of published data from a folder that isn't part of the project: `<name>.json.gz`. */
export function readPublished(folder: string, name: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(join(folder, `${name}.json.gz`))).toString())
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
