import { findProgram, installDebianPackages } from './debian.mjs'

/** Path of tesseract, if pdftoppm is there too, without which it reads no PDF; undefined otherwise. */
export function findTesseract() {
  return findProgram('pdftoppm') && findProgram('tesseract')
}

/** Installs what reads scans for the tests, unless it is installed. @param {{ verbose: boolean }} options */
export async function ensureTesseract(options) {
  if (process.platform !== 'linux' || findTesseract()) return
  await installDebianPackages('Installing tesseract for the tests', ['tesseract-ocr', 'poppler-utils'], options)
}
