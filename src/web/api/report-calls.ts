import type { z } from 'zod'
import type { NewReport, OwnReport, OwnReports } from '../../contract/reports.ts'
import { requestJson } from './request.ts'

export const sendReport = (session: string, body: z.input<typeof NewReport>) =>
  requestJson<OwnReport>(`/api/v1/sessions/${encodeURIComponent(session)}/reports`, { method: 'POST', body })

export const fetchReports = () => requestJson<OwnReports>('/api/v1/me/reports')

export const withdrawReport = (id: string) => requestJson<unknown>(`/api/v1/reports/${encodeURIComponent(id)}`, { method: 'DELETE' })
