import { serveParser } from '../../../parsing/serve-parser.ts'
import { reasonOf } from '../../ingestion/extract-file.ts'
import { type ReadingRequest, readFetched, type ReadResult } from './page-reader.ts'

// Entry point of the process that reads fetched pages.
serveParser(
  (request: ReadingRequest): Promise<ReadResult> =>
    readFetched(request).catch((cause: unknown) => ({ kind: 'unreadable', reason: reasonOf(cause) })),
)
