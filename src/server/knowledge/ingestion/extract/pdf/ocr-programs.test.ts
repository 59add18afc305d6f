import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { missingOcr } from './ocr-programs.ts'

test('where scans are to be read, each program that is missing is named, with its package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(missingOcr({ usesOcr: false }, [folder])).toEqual([])
  expect(missingOcr({ usesOcr: true }, [folder])).toEqual([
    {
      text: `OCR=tesseract reads no scans: tesseract, pdftoppm not found in ${folder}.`,
      change: 'Run: apt-get install tesseract-ocr poppler-utils',
    },
  ])
  for (const program of ['tesseract', 'pdftoppm']) writeFileSync(join(folder, program), '')
  expect(missingOcr({ usesOcr: true }, ['/nowhere', folder])).toEqual([])
})
