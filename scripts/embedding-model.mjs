import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './processes.mjs'

/** Where `npm run embedding-model` writes the model, and the server looks for it. */
export const EMBEDDING_MODEL_FILE = join(ROOT, 'models/multilingual-e5-small-q4_0.gguf')

/** The program that makes it. */
export const EMBEDDING_MODEL_MAKER = join(ROOT, 'scripts/embedding-model/make.ts')

/** Whether the embedding model that needs no setting is there. */
export function hasEmbeddingModel() {
  return existsSync(EMBEDDING_MODEL_FILE)
}
