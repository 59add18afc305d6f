import { pathToFileURL } from 'node:url'

/** Where the module of `node-llama-cpp` is, within the folder into which the launcher installs it. */
export const LIBRARY_MODULE = 'node_modules/node-llama-cpp/dist/index.js'

/** What loads a model, of `node-llama-cpp` 3.21.1. It is installed in a folder of its own, so it cannot be imported by name. */
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

/** `file` is the module that the package begins with. */
export async function importLibrary<Library>(file: string): Promise<Library> {
  return (await import(pathToFileURL(file).href)) as Library
}

/** Loads a GGUF file for the processor. More threads than idle cores make all of them wait for each other. */
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
