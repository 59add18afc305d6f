import type { ImportReply } from '../../contract/export.ts'
import type {
  DataReport,
  DeviceForgotten,
  DevicesForgotten,
  ErasureReply,
  Moved,
  TransferCode,
  UseTransferBody,
} from '../../contract/rights.ts'
import { requestJson } from './request.ts'

const API = '/api/v1'

/** Deletes all sessions of the visitor, who stays known. */
export const deleteSessions = () => requestJson<ErasureReply>(`${API}/sessions`, { method: 'DELETE' })

/** Deletes everything about the visitor. The request survives the page when it is closed meanwhile. */
export const deleteEverything = () => requestJson<ErasureReply>(`${API}/me`, { method: 'DELETE', keepalive: true })

/** What is known about the visitor, in this language. */
export const fetchDataReport = (language: string) => requestJson<DataReport>(`${API}/me/data?language=${language}`)

/** Imports a document of an export, or a part of one. What is there already is skipped. */
export const importChats = (document: unknown) => requestJson<ImportReply>(`${API}/me/import`, { method: 'POST', body: document })

/** Makes a code with which another device becomes one of this visitor. */
export const makeTransferCode = () => requestJson<TransferCode>(`${API}/me/transfer`, { method: 'POST', body: {} })

/** Makes this device one of the visitor whose code it is. */
export const takeTransferCode = (body: UseTransferBody) => requestJson<Moved>(`${API}/transfer`, { method: 'POST', body })

/** Takes this device's key away; when it was the visitor's only one, everything is deleted. */
export const forgetDevice = () => requestJson<DeviceForgotten>(`${API}/me/device`, { method: 'DELETE', keepalive: true })

/** Takes the keys of all other devices away. */
export const forgetOtherDevices = () => requestJson<DevicesForgotten>(`${API}/me/devices`, { method: 'DELETE' })
