import { serveParser } from '../../parsing/serve-parser.ts'
import { readImport } from './read-import.ts'

// Entry point of the process that parses one import.
serveParser(readImport)
