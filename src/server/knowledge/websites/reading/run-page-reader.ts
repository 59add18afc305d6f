import { serveParser } from '../../../parsing/serve-parser.ts'
import { readFetched } from './page-reader.ts'

// Entry point of the process that reads fetched pages.
serveParser(readFetched)
