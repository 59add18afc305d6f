import { constant } from '../constant.ts'

const MEGABYTE = 1024 * 1024

/** Bounds on the documents that staff upload: the size of one, their number, and the size of all their versions. */
export const UPLOAD_LIMITS = {
  bytes: constant('uploadBytes', 16 * MEGABYTE),
  count: constant('uploadCount', 500),
  totalBytes: 2_000 * MEGABYTE,
}
