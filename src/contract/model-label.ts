/** Name of the built-in assistant in the API; the page says it in the visitor's language. */
export const BUILTIN_LABEL = 'Built-in assistant'
