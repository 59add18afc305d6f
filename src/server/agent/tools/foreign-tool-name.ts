const MAX_NAME_CHARACTERS = 64

/** The name by which models call a tool of somebody else's: of letters that every provider takes. */
export function foreignToolName(owner: string, tool: string): string {
  return `${owner}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_CHARACTERS)
}
