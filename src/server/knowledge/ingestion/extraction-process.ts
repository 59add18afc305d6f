import { type ParserFailure, ParserProcess } from '../../parsing/parser-process.ts'
import type { ExtractedFile, ExtractionRequest } from './extract-file.ts'
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

const REASONS: Record<ParserFailure, string> = {
  threw: 'It cannot be read.',
  time: 'It takes too long to read.',
  memory: 'It takes too much memory to read.',
  ended: 'It ends the process that reads it.',
}

/**
 * Extracts the files of a folder in a child process. A file that exceeds a limit or crashes the process is reported as unreadable; a new
 * process reads the files after it.
 */
export class ExtractionProcess {
  readonly #process: ParserProcess<ExtractionRequest, ExtractedFile>

  /** `onProcess` is called with the id of each started process, and with null when it has ended. */
  constructor(limits: Partial<ExtractionLimits> = {}, onProcess: (pid: number | null) => void = () => {}) {
    this.#process = new ParserProcess({ url: PROGRAM, ...LIMITS, ...limits }, onProcess)
  }

  async extract(request: ExtractionRequest): Promise<ExtractedFile> {
    const outcome = await this.#process.parse(request)
    return outcome.kind === 'parsed' ? outcome.value : { kind: 'unreadable', reason: REASONS[outcome.reason] }
  }

  /** Ends the process; the next file starts another. */
  close(): void {
    this.#process.close()
  }
}
