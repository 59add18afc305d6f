import { ParserProcess } from '../../parsing/parser-process.ts'
import { type ExtractedFile, type ExtractionRequest, PARSER_FAILURES } from './extract-file.ts'
import { FOLDER_OCR } from './extract/pdf/ocr-programs.ts'

const PROGRAM = new URL('./run-extraction.ts', import.meta.url)

/** Per file, and for the whole process. */
export interface ExtractionLimits {
  timeMs: number
  residentBytes: number
}

const LIMITS: ExtractionLimits = { timeMs: 120_000, residentBytes: 768 * 1024 * 1024 }

/** Where pages that are pictures are read. */
export const LIMITS_WITH_OCR: ExtractionLimits = { ...LIMITS, timeMs: LIMITS.timeMs + FOLDER_OCR.timeMs }

/** Extracts files in a child process. One that exceeds a limit or crashes it is unreadable; a new process reads those after it. */
export class ExtractionProcess {
  readonly #process: ParserProcess<ExtractionRequest, ExtractedFile>

  constructor(limits: Partial<ExtractionLimits> = {}, onProcess: (pid: number | null) => void = () => {}) {
    this.#process = new ParserProcess({ url: PROGRAM, ...LIMITS, ...limits }, onProcess)
  }

  async extract(request: ExtractionRequest): Promise<ExtractedFile> {
    const outcome = await this.#process.parse(request)
    return outcome.kind === 'parsed' ? outcome.value : { kind: 'unreadable', reason: PARSER_FAILURES[outcome.reason] }
  }

  /** Ends the process; the next file starts another. */
  close(): void {
    this.#process.close()
  }
}
