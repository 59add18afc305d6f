import { extractFile, type ExtractionRequest } from './extract-file.ts'

// Entry point of the extraction process, which receives one file at a time.
process.on('message', (request: ExtractionRequest) => {
  answer(request).catch(() => process.exit(1))
})
process.on('disconnect', () => process.exit())

async function answer(request: ExtractionRequest): Promise<void> {
  process.send?.(await extractFile(request))
}
