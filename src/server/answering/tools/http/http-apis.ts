import type { ToolSet } from 'ai'
import { readHttpFile } from './http-settings.ts'
import { httpTool } from './http-tool.ts'
import type { Variable } from '../named-entries.ts'
import { approvalRequiredTool, chosenTools, foreignToolName, isNamed } from '../foreign-tools.ts'

export type HttpApis = Awaited<ReturnType<typeof readHttpApis>>

/** The APIs of `http-tools.json`, shared by all agents. A mistake in one doesn't affect the others; `problems` lists it. */
export async function readHttpApis(path: string, variable: Variable) {
  const { names, entries: apis, problems } = await readHttpFile(path, variable)
  const tools = new Map<string, ToolSet>()
  for (const [name, api] of apis) {
    const set: ToolSet = {}
    for (const [id, operation] of api.operations) {
      const tool = httpTool(api, `the API ${name}`, operation)
      if (tool) set[foreignToolName(name, id)] = isNamed(api.approval, id) ? approvalRequiredTool(tool) : tool
      else problems.push(`http-tools.json, "${name}": the form of the input of ${id} cannot be read`)
    }
    tools.set(name, set)
  }
  return {
    names,
    problems,
    /** Tools of APIs: `api` for all operations, or `api/operationId`. */
    toolsOf: (chosen: readonly string[]) => chosenTools(chosen, (api) => tools.get(api)),
  }
}
