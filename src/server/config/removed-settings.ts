/** Settings of earlier versions, with what applies instead. One that is still set stops the start, so that no limit loosens in silence. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  ANTHROPIC_BASE_URL: 'PROVIDER_URLS=anthropic=… takes its place',
  BEDROCK_BASE_URL: 'PROVIDER_URLS=bedrock=… takes its place',
  CONSOLE_RAISE_LIMITS: 'staff can raise a limit to twice its value',
  DATABASE_POOL: 'each process opens up to 10 connections',
  DATABASE_TIMEOUT_MS: 'a request is rejected after 2 s without the database',
  EMBEDDING_PASSAGE_PREFIX: 'prefixes follow from the name of EMBEDDING_MODEL',
  EMBEDDING_QUERY_PREFIX: 'prefixes follow from the name of EMBEDDING_MODEL',
  GOOGLE_BASE_URL: 'PROVIDER_URLS=google=… takes its place',
  HTTP_TOOLS_FILE: 'http-tools.json is read from TOOLS_DIR',
  KNOWLEDGE_INDEX: 'each process indexes the knowledge',
  KNOWLEDGE_LANGUAGES: 'each passage is indexed in the language of its text',
  LIMIT_ALL_STREAMS: 'a process has at most 10,000 open streams',
  LIMIT_FILES_PER_HOUR: 'a visitor can upload 30 files an hour',
  LIMIT_HISTORY_TOKENS: 'the model gets at most 4,000 tokens of chat history',
  LIMIT_IMPORTS_PER_HOUR: 'chats can’t be imported any more',
  LIMIT_NETWORK_CONNECTIONS: 'a network can have 300 open connections',
  LIMIT_NETWORK_FILES_PER_HOUR: 'a network can upload 90 files an hour',
  LIMIT_NETWORK_IMPORTS_PER_HOUR: 'chats can’t be imported any more',
  LIMIT_NETWORK_POLLS_PER_MINUTE: 'a network has 3,600 polls a minute',
  LIMIT_NETWORK_READS_PER_MINUTE: 'a network has 720 reads a minute',
  LIMIT_NETWORK_STREAMS: 'a network can have 20 open streams',
  LIMIT_NETWORK_WRITES_PER_MINUTE: 'a network has 360 writes a minute',
  LIMIT_POLLS_PER_MINUTE: 'a visitor has 1,200 polls a minute',
  LIMIT_READS_PER_MINUTE: 'a visitor has 240 reads a minute',
  LIMIT_WRITES_PER_MINUTE: 'a visitor has 120 writes a minute',
  LOCAL_EMBEDDING_FILE: 'LOCAL_EMBEDDING_URL takes a path too',
  LOCAL_MODEL_CONTEXT: 'MODEL_WINDOW takes its place',
  LOCAL_MODEL_FILE: 'LOCAL_MODEL_URL takes a path too',
  MAX_LAG_MS: 'prompts wait while the event loop lags by 100 ms',
  MAX_WAITING_PROMPTS: '200 prompts can wait in a process',
  MAX_WAIT_S: 'a prompt waits for 10 s at most',
  MCP_FILE: 'mcp.json is read from TOOLS_DIR',
  MISTRAL_BASE_URL: 'PROVIDER_URLS=mistral=… takes its place',
  OPENAI_API: 'Chat Completions is used, and Responses for models that require it',
  OIDC_CLIENT_ID: 'visitors no longer sign in; staff do with STAFF_OIDC_CLIENT_ID',
  OIDC_CLIENT_SECRET: 'visitors no longer sign in; staff do with STAFF_OIDC_CLIENT_SECRET',
  OIDC_ISSUER: 'visitors no longer sign in; staff do with STAFF_OIDC_ISSUER',
  OIDC_LABEL: 'visitors no longer sign in',
  OIDC_SCOPE: 'visitors no longer sign in; staff do with STAFF_OIDC_SCOPE',
  PRICE_INPUT: 'PRICES=model=input/output takes its place',
  PRICE_OUTPUT: 'PRICES=model=input/output takes its place',
  PROOF_OF_WORK_FROM: 'with PROOF_OF_WORK=auto, work is required above 50 % of a limit',
  RERANK_API_KEY: 'search results are not reranked',
  RERANK_BASE_URL: 'search results are not reranked',
  PROCESSES: 'start several servers by compose, systemd or Kubernetes',
  RERANK_MODEL: 'search results are not reranked',
  SCORECARD: 'figures are shown in the console alone',
  SHARING: 'visitors can’t share chats by a link any more',
  STAFF_OIDC_LABEL: 'the button says “Sign in with your organisation” in the language of the console',
  SUGGESTIONS: 'no follow-up prompts are written; the built-in assistant offers related topics',
  THEME_COLOR_DARK: 'THEME_COLOR takes a second colour',
  TITLES: 'a chat is named by its first prompt',
  UPLOAD_COUNT: 'staff can upload 500 documents',
  UPLOAD_MB: 'a document can have 16 MB',
  UPLOAD_TOTAL_MB: 'uploaded documents can have 2,000 MB in all',
  WEBHOOK_PRIVATE_HOSTS: 'CONSOLE_PRIVATE_HOSTS takes its place',
  WEB_SEARCH_URL: 'an HTTP tool or an MCP server can search the web',
}

export function removedSettingMistakes(given: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(REMOVED_SETTINGS).flatMap(([removed, instead]) =>
    namesOf(removed)
      .filter((name) => given[name] !== undefined)
      .map((name) => `${name} was removed (${instead}), take it away`),
  )
}

/** A secret could also be read from a file. */
function namesOf(removed: string): string[] {
  return /_(?:KEY|SECRET)$/.test(removed) ? [removed, `${removed}_FILE`] : [removed]
}
