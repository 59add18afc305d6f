// Makes the files of a release: npm run bundle, and the content of the image. npm run release -- --check verifies them.
import { relative } from 'node:path'
import { hasEmbeddingModel } from './embedding-model.mjs'
import { ROOT } from './processes.mjs'
import { stageRelease, writeBundle } from './release/bundle.mjs'
import { checkRelease } from './release/check-release.mjs'
import { LaunchError } from './steps.mjs'

const [, , command, ...options] = process.argv

try {
  if (command === 'bundle') {
    // The model is of no use without its library.
    const archive = await writeBundle({ localModel: options.includes('--local-model') || hasEmbeddingModel() })
    process.stdout.write(`${relative(ROOT, archive)}\n`)
    if (!hasEmbeddingModel())
      process.stdout.write('It lacks the model for search by meaning: run npm run embedding-model first to include it.\n')
  } else if (command === 'stage' && options[0]) {
    stageRelease(options[0])
  } else if (command === 'check') {
    process.exitCode = await checkRelease(process.execPath)
  } else {
    throw new LaunchError('Use one of: bundle, check, stage <folder>.')
  }
} catch (error) {
  if (!(error instanceof LaunchError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
