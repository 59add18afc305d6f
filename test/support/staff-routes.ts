import type { StaffRight } from '../../src/contract/staff/roles.ts'

/** A route of the staff API, and a call of it. */
export interface StaffRoute {
  /** Who may call the route. */
  for: 'anybody' | 'signed-in' | StaffRight
  /** Needs a recent sign-in. */
  isSensitive?: true
  path?: string
  body?: object
  /** Status for those who may call it with this path and body. */
  gives: number
}

const NOBODY = '0'.repeat(16)

/** Those of the knowledge. */
const KNOWLEDGE_ROUTES: Record<string, StaffRoute> = {
  'GET model': { for: 'connect-model', gives: 200 },
  'POST model': { for: 'connect-model', isSensitive: true, body: { provider: 'openai', model: 'gpt-5-mini' }, gives: 422 },
  'POST model/test': { for: 'connect-model', isSensitive: true, body: { provider: 'openai', model: 'gpt-5-mini' }, gives: 422 },
  'DELETE model': { for: 'connect-model', isSensitive: true, gives: 200 },
  'GET embeds': { for: 'read-agents', gives: 200 },
  'POST embeds/:name': {
    for: 'change-agents',
    isSensitive: true,
    path: 'embeds/library',
    body: { embed: { color: 'red' }, basedOn: 0 },
    gives: 422,
  },
  'DELETE embeds/:name': { for: 'change-agents', isSensitive: true, path: 'embeds/library', gives: 404 },
  'GET knowledge': { for: 'read-knowledge', gives: 200 },
  'POST knowledge/websites': { for: 'change-knowledge', isSensitive: true, body: { address: 'http://127.0.0.1/' }, gives: 422 },
  'POST knowledge/websites/:id/actions': {
    for: 'change-knowledge',
    isSensitive: true,
    path: 'knowledge/websites/none/actions',
    body: { action: 'sync' },
    gives: 409,
  },
  'GET knowledge/websites/:id/held-pages': { for: 'read-knowledge', path: 'knowledge/websites/none/held-pages', gives: 404 },
  'GET knowledge/websites/:id/held-pages/texts': {
    for: 'read-knowledge',
    path: `knowledge/websites/none/held-pages/texts?before=${'0'.repeat(64)}`,
    gives: 404,
  },
  'POST knowledge/websites/:id/held-pages': {
    for: 'change-knowledge',
    isSensitive: true,
    path: 'knowledge/websites/none/held-pages',
    body: { decisions: [{ address: 'https://example.org/', decision: 'accept', before: null, after: null }] },
    gives: 409,
  },
  'PUT documents/:id': {
    for: 'change-knowledge',
    isSensitive: true,
    path: `documents/${NOBODY}?name=a.exe`,
    body: Buffer.from('a'),
    gives: 422,
  },
  'DELETE documents/:id': { for: 'change-knowledge', isSensitive: true, path: `documents/${NOBODY}`, gives: 404 },
  'GET knowledge/uploads/:id': { for: 'read-knowledge', path: `knowledge/uploads/${NOBODY}`, gives: 404 },
  'POST knowledge/uploads': {
    for: 'change-knowledge',
    isSensitive: true,
    path: 'knowledge/uploads?name=a.exe&owner=b',
    body: Buffer.from('a'),
    gives: 422,
  },
  'POST knowledge/uploads/:id': {
    for: 'change-knowledge',
    isSensitive: true,
    path: `knowledge/uploads/${NOBODY}`,
    body: { base: 1, owner: 'Ada' },
    gives: 404,
  },
  'POST knowledge/uploads/:id/versions': {
    for: 'change-knowledge',
    isSensitive: true,
    path: `knowledge/uploads/${NOBODY}/versions?base=1&name=a.md`,
    body: Buffer.from('a'),
    gives: 404,
  },
  'POST knowledge/uploads/:id/restoration': {
    for: 'change-knowledge',
    isSensitive: true,
    path: `knowledge/uploads/${NOBODY}/restoration`,
    body: { base: 1, version: 1 },
    gives: 404,
  },
  'DELETE knowledge/uploads/:id': { for: 'change-knowledge', isSensitive: true, path: `knowledge/uploads/${NOBODY}?base=1`, gives: 404 },
  'GET knowledge/uploads/:id/versions/:number/content': {
    for: 'read-knowledge',
    path: `knowledge/uploads/${NOBODY}/versions/1/content`,
    gives: 404,
  },
}

const DRAFT = {
  question: '',
  matches: [],
  mustNotMatch: [],
  languages: [],
  owner: '',
  sourceTitle: '',
  sourceUrl: '',
  validFrom: '',
  validUntil: '',
  text: '',
}

/** Those of approved answers. */
const APPROVED_ROUTES: Record<string, StaffRoute> = {
  'GET approved-answers': { for: 'read-knowledge', gives: 200 },
  'GET approved-answers/:id': { for: 'read-knowledge', path: 'approved-answers/unknown', gives: 404 },
  'POST approved-answers': { for: 'change-knowledge', body: { id: 'x', content: {} }, gives: 400 },
  'POST approved-answers/:id/draft': {
    for: 'change-knowledge',
    path: 'approved-answers/unknown/draft',
    body: { content: DRAFT, basedOn: 1 },
    gives: 404,
  },
  'POST approved-answers/:id/check': {
    for: 'change-knowledge',
    path: 'approved-answers/unknown/check',
    body: { content: DRAFT },
    gives: 200,
  },
  'POST approved-answers/:id/publication': {
    for: 'change-knowledge',
    isSensitive: true,
    path: 'approved-answers/unknown/publication',
    body: { revision: 1 },
    gives: 404,
  },
  'POST approved-answers/:id/roll-back': {
    for: 'change-knowledge',
    isSensitive: true,
    path: 'approved-answers/unknown/roll-back',
    body: { number: 1 },
    gives: 404,
  },
  'DELETE approved-answers/:id/publication': {
    for: 'change-knowledge',
    isSensitive: true,
    path: 'approved-answers/unknown/publication',
    gives: 404,
  },
  'DELETE approved-answers/:id': { for: 'change-knowledge', isSensitive: true, path: 'approved-answers/unknown', gives: 404 },
}

/** Every route of the staff API; a missing one fails the test. HEAD behaves like GET. */
export const STAFF_ROUTES: Record<string, StaffRoute> = {
  'GET session': { for: 'signed-in', gives: 200 },
  'POST session/name': { for: 'signed-in', body: { name: 'Operator' }, gives: 409 },
  'POST session/link': { for: 'anybody', body: { link: 'unknown' }, gives: 410 },
  'POST session/passkey/options': { for: 'anybody', body: {}, gives: 200 },
  'POST session/passkey': { for: 'anybody', body: {}, gives: 400 },
  'GET session/options': { for: 'anybody', gives: 200 },
  'POST session/provider': { for: 'anybody', body: {}, gives: 404 },
  'POST session/provider/answer': { for: 'anybody', body: { code: 'a', state: 'b' }, gives: 404 },
  'GET passkeys': { for: 'signed-in', gives: 200 },
  'POST passkeys/options': { for: 'signed-in', isSensitive: true, body: {}, gives: 200 },
  'POST passkeys': { for: 'signed-in', isSensitive: true, body: {}, gives: 400 },
  'DELETE passkeys/:id': { for: 'signed-in', isSensitive: true, path: 'passkeys/unknown', gives: 404 },
  'GET staff': { for: 'manage-staff', gives: 200 },
  'POST staff/invitations': { for: 'manage-staff', isSensitive: true, body: { name: 'Ada', role: 'viewer' }, gives: 200 },
  'DELETE staff/:id': { for: 'manage-staff', isSensitive: true, path: `staff/${NOBODY}`, gives: 404 },
  'GET audit': { for: 'read-audit-log', gives: 200 },
  'GET audit.csv': { for: 'read-audit-log', gives: 200 },
  'GET audit/check': { for: 'read-audit-log', gives: 200 },
  'GET stops': { for: 'read-status', gives: 200 },
  'POST stops': { for: 'change-stops', isSensitive: true, body: { scope: 'file', target: 'a.md', reason: 'test' }, gives: 200 },
  'DELETE stops/:id': { for: 'change-stops', isSensitive: true, path: 'stops/00000000', gives: 404 },
  'GET banner': { for: 'read-status', gives: 200 },
  'POST banner': { for: 'change-stops', isSensitive: true, body: { text: 'Closed today' }, gives: 200 },
  'DELETE banner': { for: 'change-stops', isSensitive: true, gives: 200 },
  'GET limits': { for: 'read-status', gives: 200 },
  'POST limits/:name': { for: 'change-limits', isSensitive: true, path: 'limits/unknown', body: { value: 1, replaces: 1 }, gives: 404 },
  'DELETE limits/:name': { for: 'change-limits', isSensitive: true, path: 'limits/unknown', gives: 404 },
  'POST budgets/:name': { for: 'change-budgets', isSensitive: true, path: 'budgets/unknown', body: { value: 1, replaces: 1 }, gives: 404 },
  'DELETE budgets/:name': { for: 'change-budgets', isSensitive: true, path: 'budgets/unknown', gives: 404 },
  'GET agents': { for: 'read-agents', gives: 200 },
  'GET agents/:id': { for: 'read-agents', path: 'agents/assistant', gives: 200 },
  'POST agents': { for: 'change-agents', body: { id: 'x', text: '' }, gives: 400 },
  'POST agents/:id/draft': { for: 'change-agents', path: 'agents/unknown/draft', body: { text: 'x', basedOn: 1 }, gives: 404 },
  'POST agents/:id/check': { for: 'change-agents', path: 'agents/unknown/check', body: { text: '' }, gives: 200 },
  'POST agents/:id/publication': {
    for: 'change-agents',
    isSensitive: true,
    path: 'agents/unknown/publication',
    body: { revision: 1 },
    gives: 404,
  },
  'POST agents/:id/roll-back': {
    for: 'change-agents',
    isSensitive: true,
    path: 'agents/unknown/roll-back',
    body: { number: 1 },
    gives: 404,
  },
  'POST agents/:id/cases': { for: 'change-agents', path: 'agents/unknown/cases', body: { text: '', basedOn: 0 }, gives: 404 },
  'POST agents/:id/evaluations': { for: 'change-agents', path: 'agents/unknown/evaluations', body: { revision: 1 }, gives: 404 },
  'GET agents/:id/evaluations/:number': { for: 'read-agents', path: 'agents/unknown/evaluations/1', gives: 404 },
  'DELETE agents/:id/evaluations/:number': { for: 'change-agents', path: 'agents/unknown/evaluations/1', gives: 404 },
  'POST agents/:id/answers': { for: 'change-agents', path: 'agents/unknown/answers', body: { prompt: 'Hi' }, gives: 404 },
  'DELETE agents/:id/publication': { for: 'change-agents', isSensitive: true, path: 'agents/unknown/publication', gives: 404 },
  'DELETE agents/:id': { for: 'change-agents', isSensitive: true, path: 'agents/unknown', gives: 404 },
  'POST trials': { for: 'read-knowledge', body: { agent: 'unknown', prompt: 'Hi' }, gives: 404 },
  'GET trials': { for: 'read-knowledge', gives: 200 },
  'DELETE trials/:id': { for: 'dismiss-questions', path: `trials/${NOBODY}`, gives: 200 },
  'GET search-test': { for: 'read-knowledge', path: 'search-test?agent=assistant&query=parley', gives: 200 },
  ...KNOWLEDGE_ROUTES,
  ...APPROVED_ROUTES,
  'GET privacy': { for: 'read-privacy', gives: 200 },
  'GET privacy.csv': { for: 'read-privacy', path: 'privacy.csv', gives: 200 },
  'GET status': { for: 'read-status', gives: 200 },
  'GET figures': { for: 'read-figures', gives: 200 },
  'GET figures.csv': { for: 'read-figures', path: 'figures.csv?table=days', gives: 200 },
  'GET questions': { for: 'read-questions', gives: 200 },
  'POST questions/:id/dismissal': { for: 'dismiss-questions', path: 'questions/0000000000000000/dismissal', body: {}, gives: 200 },
  'GET chats': { for: 'read-chats', gives: 200 },
  'POST chats/:id/readings': { for: 'read-chats', isSensitive: true, path: `chats/${NOBODY}/readings`, body: {}, gives: 404 },
  'GET reports': { for: 'read-reports', gives: 200 },
  'POST reports/:id/readings': { for: 'read-reports', isSensitive: true, path: `reports/${NOBODY}/readings`, body: {}, gives: 404 },
  'POST reports/:id/verdict': {
    for: 'read-reports',
    path: `reports/${NOBODY}/verdict`,
    body: { verdict: 'fine', revision: 0 },
    gives: 404,
  },
  'POST reports/:id/correction': {
    for: 'read-reports',
    isSensitive: true,
    path: `reports/${NOBODY}/correction`,
    body: { text: 'Not so' },
    gives: 404,
  },
  'GET corrections': { for: 'read-reports', gives: 200 },
  'DELETE corrections/:id': { for: 'read-reports', isSensitive: true, path: `corrections/${NOBODY}`, gives: 404 },
  'GET tokens': { for: 'manage-staff', gives: 200 },
  'POST tokens': { for: 'manage-staff', isSensitive: true, body: { name: 'Report', scopes: ['read:figures'] }, gives: 200 },
  'DELETE tokens/:id': { for: 'manage-staff', isSensitive: true, path: `tokens/${NOBODY}`, gives: 404 },
  'GET webhooks': { for: 'manage-staff', gives: 200 },
  'POST webhooks': { for: 'manage-staff', isSensitive: true, body: { url: 'http://example.org/', events: ['report.created'] }, gives: 422 },
  'DELETE webhooks/:id': { for: 'manage-staff', isSensitive: true, path: `webhooks/${NOBODY}`, gives: 404 },
  'GET /api/staff/openapi.json': { for: 'anybody', path: '../openapi.json', gives: 200 },
  'DELETE session': { for: 'anybody', gives: 200 },
}
