import type { ErasureReply } from '../../contract/rights.ts'
import { requestJson } from './request.ts'

const API = '/api/v1'

/** Deletes all sessions of the visitor, who stays known. */
export const deleteSessions = () => requestJson<ErasureReply>(`${API}/sessions`, { method: 'DELETE' })

/** Deletes everything about the visitor. The request survives the page when it is closed meanwhile. */
export const deleteEverything = () => requestJson<ErasureReply>(`${API}/me`, { method: 'DELETE', keepalive: true })
