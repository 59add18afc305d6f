import { extractFile, type ExtractionRequest } from './extract-file.ts'

// The program of an extraction process: it is sent one file at a time.
process.on('message', (request: ExtractionRequest) => {
  answer(request).catch(() => process.exit(1))
})
process.on('disconnect', () => process.exit())

async function answer(request: ExtractionRequest): Promise<void> {
  process.send?.(await extractFile(request))
}
