/** Prefixes that some embedding models expect in front of a text. */
export interface Prefixes {
  query: string
  passage: string
}

const NONE: Prefixes = { query: '', passage: '' }

/** Taken from the model cards. The first match wins. */
const KNOWN: readonly (readonly [name: RegExp, Prefixes])[] = [
  [/(^|[^a-z0-9])e5([^a-z0-9]|$)(?!.*(instruct|mistral))/i, { query: 'query: ', passage: 'passage: ' }],
  [/nomic-embed-text/i, { query: 'search_query: ', passage: 'search_document: ' }],
  [/arctic-embed.*v2/i, { query: 'query: ', passage: '' }],
  [
    /arctic-embed|mxbai-embed-large|bge-(small|base|large)-en/i,
    { query: 'Represent this sentence for searching relevant passages: ', passage: '' },
  ],
  [/embedding-?gemma/i, { query: 'task: search result | query: ', passage: 'title: none | text: ' }],
]

export function prefixesOf(model: string): Prefixes {
  return KNOWN.find(([name]) => name.test(model))?.[1] ?? NONE
}
