import { serveParser } from '../../parsing/serve-parser.ts'
import { parseUpload } from './parse-upload.ts'

// Entry point of the process that reads an uploaded file.
serveParser(parseUpload)
