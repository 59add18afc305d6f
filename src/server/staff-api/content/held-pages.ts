import { z } from 'zod'
import { MAX_COMPARED_CHARACTERS, MAX_HELD_PAGES } from '../../../contract/staff/content/held-page-kinds.ts'
import { HeldPageQuery, HeldPages, HeldPageTexts, PageDecisions } from '../../../contract/staff/content/held-pages.ts'
import { WebsiteActionDone } from '../../../contract/staff/content/knowledge.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { heldKind, mayKeep, readHeldSource } from '../../knowledge/websites/held-pages.ts'
import { ChangedMeanwhile, decidePages } from '../../knowledge/websites/page-decisions.ts'
import { readablePage } from '../../knowledge/websites/page-text.ts'
import { readSource, readTexts } from '../../store/knowledge/sources.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { NEXT_STEPS, rejectConflict } from './knowledge.ts'
import { sensitive, staffRoutes } from '../staff-route.ts'

const route = staffRoutes('knowledge')
const params = z.object({ id: z.string().max(40) })

export function heldPageRoutes(app: Server, { database, record, now }: ConsoleRouteOptions): void {
  app.get(
    '/api/staff/v1/knowledge/websites/:id/held-pages',
    route('read-knowledge', { summary: 'List the held pages of a website', params, reply: HeldPages }),
    async (request, reply) => {
      const row = await readSource(database, request.params.id)
      if (!row) return reject(reply, 'not_found')
      const { pages } = await readHeldSource(database, row)
      const views = pages.flatMap((page) => {
        const kind = heldKind(page)
        const { address, reason, text_hash: before, held_hash: after } = page
        return kind === null ? [] : [{ address, kind, reason, before, after, mayKeep: mayKeep(page) }]
      })
      const sorted = views.toSorted((one, other) => (one.address < other.address ? -1 : 1))
      return { pages: sorted.slice(0, MAX_HELD_PAGES), total: views.length }
    },
  )

  app.get(
    '/api/staff/v1/knowledge/websites/:id/held-pages/texts',
    route('read-knowledge', { summary: 'Retrieve both texts of a held page', params, querystring: HeldPageQuery, reply: HeldPageTexts }),
    async (request, reply) => {
      const { id } = request.params
      const hashes = [request.query.before, request.query.after]
      const stored = await readTexts(database, id, hashes)
      if (hashes.some((hash) => hash !== undefined && !stored.has(hash))) return reject(reply, 'not_found')
      const [old, made] = hashes.map((hash) => (hash === undefined ? null : readablePage(stored.get(hash))))
      const cut = (text: string | null | undefined) => text?.slice(0, MAX_COMPARED_CHARACTERS).toWellFormed() ?? null
      const isCut = [old, made].some((text) => (text?.length ?? 0) > MAX_COMPARED_CHARACTERS)
      return { before: cut(old), after: cut(made), isCut }
    },
  )

  app.post(
    '/api/staff/v1/knowledge/websites/:id/held-pages',
    route(sensitive('change-knowledge'), {
      summary: 'Accept or keep single held pages of a website',
      params,
      body: PageDecisions,
      reply: WebsiteActionDone,
    }),
    async (request, reply) => {
      const { id } = request.params
      const decisions = request.body.decisions.map(({ address, decision, before, after }) => ({
        address,
        decision,
        seen: { before, after },
      }))
      const lines: string[] = []
      try {
        await decidePages(database, id, decisions, {
          now,
          write: (line) => lines.push(line.trim()),
          commands: NEXT_STEPS,
          record: async (transaction) => {
            for (const { address, decision } of decisions)
              await record(request, `website.${decision}-page`, `${id} ${address}`)(transaction)
          },
        })
      } catch (error) {
        if (error instanceof ChangedMeanwhile) return rejectStaff(reply, 'changed_meanwhile', error.message)
        return rejectConflict(reply, error)
      }
      return { message: lines.join(' ') }
    },
  )
}
