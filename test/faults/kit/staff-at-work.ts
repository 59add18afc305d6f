import { setTimeout as pause } from 'node:timers/promises'
import type { ApprovedAnswerView, ApprovedDraft } from '../../../src/contract/staff/content/approved-answers.ts'
import type { KnowledgeView, UploadDetails } from '../../../src/contract/staff/content/knowledge.ts'
import type { StopList } from '../../../src/contract/staff/stops.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import type { TestServer } from '../../support/server.ts'
import { consoleOf, StaffClient } from '../../support/staff-client.ts'
import { storedRows } from './stored-rows.ts'
import { expectReading, type Visitor } from './visitor.ts'

const PAUSE_MS = 20
/** Sooner than the console asks for another sign-in. */
const SIGN_IN_EVERY_MS = 10 * 60_000
/** Documents and stops that are there at a time. */
const KEPT = 3
const ANSWER = 'approved-answers/dog-tax'
const QUESTION = 'How much is the dog tax?'
const FEE: ApprovedDraft = {
  question: QUESTION,
  matches: [],
  mustNotMatch: [],
  languages: ['en'],
  owner: 'Treasury',
  sourceTitle: 'Dog tax statute',
  sourceUrl: 'https://example.org/dogs',
  validFrom: '2026-01-01',
  validUntil: '9999-12-31',
  text: 'Not published yet.',
}
/** Long enough for several pages of the database. */
const documentOf = (name: string) => `# Document ${name}\n\n${`${name} goes on. `.repeat(1_500)}\n\nEnd of ${name}.\n`

/** State of a document or stop as staff know it; whether one in between is there is only known after a look. */
type State = 'creating' | 'there' | 'removing' | 'gone'

/** Environment of a server whose console keeps its port over restarts. */
export const withStaff = async () => ({ CONSOLE_PORT: String(await freePort()) })

/** Staff who publish, upload and stop, and remember what was acknowledged. */
export class StaffAtWork {
  /** Changes that were acknowledged. */
  acknowledged = 0
  readonly #server: TestServer
  readonly #staff: StaffClient
  readonly #visitor: Visitor
  readonly #stops = new Map<string, State>()
  readonly #documents = new Map<string, State>()
  /** Entries that the audit log must have. */
  readonly #entries: Record<string, number> = { 'stop.start': 0, 'stop.end': 0, 'document.upload': 0, 'document.delete': 0 }
  #ids = new Map<string, string>()
  #published = { number: 0, text: FEE.text }
  /** The text whose publication got no reply. */
  #publishing: string | null = null
  #count = 0
  #signedInAt = performance.now()

  private constructor(server: TestServer, staff: StaffClient, visitor: Visitor) {
    this.#server = server
    this.#staff = staff
    this.#visitor = visitor
  }

  static async start(server: TestServer, visitor: Visitor): Promise<StaffAtWork> {
    const { origin, link } = await consoleOf(server)
    const staff = new StaffClient(origin)
    await staff.enter(link)
    await staff.addPasskey()
    await staff.call('POST', 'approved-answers', { id: 'dog-tax', content: FEE })
    return new StaffAtWork(server, staff, visitor)
  }

  /** Works until the signal. */
  async work(signal: AbortSignal): Promise<void> {
    const repeat = async (job: () => Promise<unknown>) => {
      while (!signal.aborted) {
        await job()
        await pause(PAUSE_MS)
      }
    }
    await Promise.all([
      repeat(() => this.#publish()),
      repeat(() => this.#createOrRemove(this.#documents)),
      repeat(() => this.#createOrRemove(this.#stops)),
    ])
  }

  /** Compares what is there with what was acknowledged; what got no reply is whole or absent. Returns violated guarantees. */
  async check(): Promise<string[]> {
    const { stops } = await this.#read<StopList>('stops')
    const { documents } = await this.#read<KnowledgeView>('knowledge')
    if (performance.now() - this.#signedInAt > SIGN_IN_EVERY_MS) {
      // A kept connection may lead to the killed process.
      await eventually(() => this.#staff.signIn())
      this.#signedInAt = performance.now()
    }
    const uploads = documents.flatMap(({ upload }) => upload ?? [])
    this.#ids = new Map(stops.map(({ target, id }) => [target, id]))
    const broken = [
      ...this.#compare(this.#stops, new Set(this.#ids.keys())),
      ...this.#compare(this.#documents, new Set(uploads.map(({ id }) => id))),
      ...(await this.#comparePublished()),
    ]
    for (const { id } of uploads) {
      const { text } = await this.#read<UploadDetails>(`knowledge/uploads/${id}`)
      if (text !== documentOf(id)) broken.push(`document ${id} has ${text?.length} characters`)
    }
    if (!(await this.#read<{ isIntact: boolean }>('audit/check')).isIntact) broken.push('the audit log is broken')
    const statement = 'SELECT action, count(*) AS entries FROM audit_log GROUP BY action'
    const rows = await storedRows<{ action: string; entries: number | string }>(this.#server, statement)
    for (const [action, expected] of Object.entries({ ...this.#entries, 'approved.publish': this.#published.number })) {
      const entries = Number(rows.find((row) => row.action === action)?.entries ?? 0)
      if (entries !== expected) broken.push(`the audit log has ${entries} of ${expected} times ${action}`)
    }
    return broken
  }

  async #publish(): Promise<void> {
    const text = `Dog tax is ${(this.#count += 1)} euros.`
    const view = await this.#call<ApprovedAnswerView>('GET', ANSWER)
    const draft = view && { content: { ...FEE, text }, basedOn: view.managed?.draft.revision }
    const saved = draft && (await this.#call<ApprovedAnswerView>('POST', `${ANSWER}/draft`, draft))
    if (!saved || this.#publishing !== null) return
    this.#publishing = text
    const published = await this.#call<{ number: number }>('POST', `${ANSWER}/publication`, { revision: view.managed!.draft.revision + 1 })
    if (!published) return
    this.#publishing = null
    this.#published = { number: published.number, text }
  }

  async #createOrRemove(things: Map<string, State>): Promise<void> {
    const there = [...things].filter(([, state]) => state === 'there').map(([name]) => name)
    const name = there.length < KEPT ? `x${(this.#count += 1)}` : (there[0] as string)
    const isNew = !things.has(name)
    things.set(name, isNew ? 'creating' : 'removing')
    const done = things === this.#stops ? await this.#changeStop(name, isNew) : await this.#changeDocument(name, isNew)
    if (done) this.#settle(things, name, isNew)
  }

  #changeDocument(name: string, isNew: boolean): Promise<object | undefined> {
    const path = `documents/${name}`
    return isNew ? this.#call('PUT', `${path}?name=${name}.md&owner=Ada`, Buffer.from(documentOf(name))) : this.#call('DELETE', path)
  }

  async #changeStop(target: string, isNew: boolean): Promise<object | undefined> {
    if (!isNew) return this.#call('DELETE', `stops/${this.#ids.get(target)}`)
    const stop = await this.#call<StopList['stops'][number]>('POST', 'stops', { scope: 'topic', target, reason: 'A test' })
    if (stop) this.#ids.set(target, stop.id)
    return stop
  }

  #settle(things: Map<string, State>, name: string, isThere: boolean): void {
    const what = things === this.#stops ? ['stop.start', 'stop.end'] : ['document.upload', 'document.delete']
    const before = things.get(name)
    const action = before === 'creating' && isThere ? what[0] : before === 'removing' && !isThere ? what[1] : undefined
    if (action) this.#entries[action] = (this.#entries[action] ?? 0) + 1
    things.set(name, isThere ? 'there' : 'gone')
  }

  #compare(things: Map<string, State>, found: ReadonlySet<string>): string[] {
    const broken = [...found].filter((name) => !things.has(name)).map((name) => `nobody created ${name}`)
    for (const [name, state] of things) {
      if (state === 'there' && !found.has(name)) broken.push(`${name} is lost`)
      if (state === 'gone' && found.has(name)) broken.push(`${name} is back`)
      this.#settle(things, name, found.has(name))
    }
    return broken
  }

  async #comparePublished(): Promise<string[]> {
    const { managed } = await this.#read<ApprovedAnswerView>(ANSWER)
    const number = managed?.published ?? 0
    const last = this.#published.number
    if (this.#publishing !== null && number === last + 1) this.#published = { number, text: this.#publishing }
    this.#publishing = null
    if (number !== this.#published.number) return [`publication ${last} was acknowledged, ${number} is in force`]
    if (number === 0) return []
    const { text } = this.#published
    const content = managed?.publications[0]?.content
    const broken =
      JSON.stringify(content) === JSON.stringify({ ...FEE, text }) ? [] : [`publication ${number} is ${JSON.stringify(content)}`]
    const reading = expectReading(await this.#visitor.send(QUESTION))
    await reading.ended
    return reading.text === text ? broken : [...broken, `visitors read "${reading.text}" instead of "${text}"`]
  }

  /** The reply; undefined if none came, or one that leaves the outcome open. */
  async #call<Body extends object>(method: string, path: string, body?: object): Promise<Body | undefined> {
    const reply = await this.#staff.call<Body>(method, path, body).catch(() => undefined)
    if (!reply || reply.status >= 500) return undefined
    if (reply.status !== 200) throw new Error(`${method} ${path} got ${reply.status}: ${JSON.stringify(reply.body)}`)
    if (method !== 'GET') this.acknowledged += 1
    return reply.body
  }

  async #read<Body extends object>(path: string): Promise<Body> {
    for (let tries = 0; tries < 5; tries += 1) {
      const body = await this.#call<Body>('GET', path)
      if (body) return body
    }
    throw new Error(`No reply to GET ${path}`)
  }
}
