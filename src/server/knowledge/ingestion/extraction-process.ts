import { ParserProcess } from '../../parsing/parser-process.ts'
import { type ExtractedFile, type ExtractionRequest, PARSER_FAILURES } from './extract-file.ts'
import { OCR_TIME_MS, PAGE_TIME_MS } from './extract/pdf/ocr-programs.ts'

const PROGRAM = new URL('./run-extraction.ts', import.meta.url)

/** Per file, and for the whole process. */
export interface ExtractionLimits {
  timeMs: number
  residentBytes: number
}

const LIMITS: ExtractionLimits = { timeMs: 120_000, residentBytes: 768 * 1024 * 1024 }

/** Where pages that are pictures are read: the last of them may begin just before its time is over. */
export const LIMITS_WITH_OCR: ExtractionLimits = { ...LIMITS, timeMs: LIMITS.timeMs + OCR_TIME_MS + 2 * PAGE_TIME_MS }

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
