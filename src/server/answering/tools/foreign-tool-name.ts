const MAX_NAME_CHARACTERS = 64

/** Name of an external tool for models, in characters that every provider supports. */
export function foreignToolName(owner: string, tool: string): string {
  return `${owner}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_CHARACTERS)
}
