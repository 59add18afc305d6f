import type { ToolSet } from 'ai'
import { readHttpFile } from './http-settings.ts'
import { httpTool } from './http-tool.ts'
import type { Variable } from '../named-entries.ts'
import { approvalRequiredTool, chosenTools, foreignToolName, isNamed } from '../foreign-tools.ts'

/** The APIs of `http-tools.json`, shared by all agents. A mistake in one doesn't affect the others; `problems` lists it. */
export class HttpApis {
  readonly #tools: ReadonlyMap<string, ToolSet>
  /** Names of all APIs in the file, invalid ones included; `null` if the file is unreadable. */
  readonly names: readonly string[] | null
  readonly problems: readonly string[]

  private constructor(tools: ReadonlyMap<string, ToolSet>, names: readonly string[] | null, problems: readonly string[]) {
    this.#tools = tools
    this.names = names
    this.problems = problems
  }

  static async open(path: string, variable: Variable): Promise<HttpApis> {
    const { names, entries: apis, problems } = await readHttpFile(path, variable)
    const tools = new Map<string, ToolSet>()
    const left: string[] = []
    for (const [name, api] of apis) {
      const set: ToolSet = {}
      for (const [id, operation] of api.operations) {
        const tool = httpTool(api, `the API ${name}`, operation)
        if (tool) set[foreignToolName(name, id)] = isNamed(api.approval, id) ? approvalRequiredTool(tool) : tool
        else left.push(`http-tools.json, "${name}": the form of the input of ${id} cannot be read`)
      }
      tools.set(name, set)
    }
    return new HttpApis(tools, names, [...problems, ...left])
  }

  /** Tools of APIs: `api` for all operations, or `api/operationId`. */
  toolsOf(chosen: readonly string[]): ToolSet {
    return chosenTools(chosen, (api) => this.#tools.get(api))
  }
}
