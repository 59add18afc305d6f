import type {
  DataReport,
  DeviceSignedOut,
  DevicesSignedOut,
  ErasureReply,
  TransferReply,
  TransferCode,
  UseTransferBody,
} from '../../contract/rights.ts'
import { requestJson } from './request.ts'

const API = '/api/v1'

/** Deletes all sessions of the visitor, but not the visitor. */
export const deleteSessions = () => requestJson<ErasureReply>(`${API}/sessions`, { method: 'DELETE' })

/** Deletes all data of the visitor. The request continues if the page is closed. */
export const deleteEverything = () => requestJson<ErasureReply>(`${API}/me`, { method: 'DELETE', keepalive: true })

export const fetchDataReport = (language: string) => requestJson<DataReport>(`${API}/me/data?language=${language}`)

/** Creates a code that adds another device to this visitor. */
export const makeTransferCode = () => requestJson<TransferCode>(`${API}/me/transfer`, { method: 'POST', body: {} })

/** Adds this device to the visitor of the code. */
export const takeTransferCode = (body: UseTransferBody) => requestJson<TransferReply>(`${API}/transfer`, { method: 'POST', body })

/** Revokes this device's key. Deletes the visitor's data if it was the only key. */
export const signOutDevice = () => requestJson<DeviceSignedOut>(`${API}/me/device`, { method: 'DELETE', keepalive: true })

export const signOutOtherDevices = () => requestJson<DevicesSignedOut>(`${API}/me/devices`, { method: 'DELETE' })
