/** `kind` of the custom part in which the built-in assistant offers topics; they are in `providerMetadata.parley.topics`. */
export const TOPICS_KIND = 'parley.topics'

/** `kind` of the custom part by which the built-in assistant declares its outcome; it is in `providerMetadata.parley.outcome`. */
export const OUTCOME_KIND = 'parley.outcome'

export const MAX_SUGGESTIONS = 3
