import { pathToFileURL } from 'node:url'

/** Path of the `node-llama-cpp` module in the folder that the launcher installs it into. */
export const LIBRARY_MODULE = 'node_modules/node-llama-cpp/dist/index.js'

/** The part of `node-llama-cpp` 3.21.1 that loads a model. It is installed in its own folder, so it can't be imported by name. */
export interface LlamaLibrary<Model> {
  getLlama(options: {
    gpu: false
    build: 'never'
    skipDownload: true
    progressLogs: false
    logLevel: 'error'
    maxThreads: number
  }): Promise<{ loadModel(options: { modelPath: string }): Promise<Model> }>
}

/** @param file Main module of the package. */
export async function importLibrary<Library>(file: string): Promise<Library> {
  return (await import(pathToFileURL(file).href)) as Library
}

/** Loads a GGUF file for the CPU. More threads than idle cores slow each other down. */
export async function loadModel<Model>(library: LlamaLibrary<Model>, path: string, threads: number): Promise<Model> {
  const llama = await library.getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: 'error',
    maxThreads: threads,
  })
  return llama.loadModel({ modelPath: path })
}
