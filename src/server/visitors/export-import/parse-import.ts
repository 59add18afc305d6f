import { serveParser } from '../../parsing/serve-parser.ts'
import { readImport } from './read-import.ts'

// Entry point of the process that parses one import. Chats are sent as JSON, which the server reads one by one.
serveParser((bytes: Uint8Array) => readImport(bytes)?.map((chat) => Buffer.from(JSON.stringify(chat))))
