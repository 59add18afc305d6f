/** What some embedding models need in front of a text to know its purpose. */
export interface Prefixes {
  query: string
  passage: string
}

const NONE: Prefixes = { query: '', passage: '' }

/** From the model cards. The first match counts. */
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

/** The prefixes of a model by its name; none when it is not known to need any. */
export function prefixesOf(model: string): Prefixes {
  return KNOWN.find(([name]) => name.test(model))?.[1] ?? NONE
}
