import { serveParser } from '../../parsing/serve-parser.ts'
import { extractFile } from './extract-file.ts'

// Entry point of the extraction process.
serveParser(extractFile)
