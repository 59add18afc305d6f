// `npm run eval`: asks the configured model the cases of a set. `-- --retrieval` measures the search alone, `-- --fetch` gets its documents.
const [mode] = process.argv.slice(2)
const say = (line: string) => {
  process.stdout.write(`${line}\n`)
}
if (mode === '--fetch') {
  const { fetchCollections } = await import('./collections/fetch.ts')
  process.exitCode = (await fetchCollections(say)) ? 0 : 1
} else if (mode === '--retrieval') {
  const { runRetrieval } = await import('../bench/retrieval/run-retrieval.ts')
  const { retrievalReport } = await import('../bench/retrieval/retrieval-report.ts')
  say(`\n${retrievalReport(await runRetrieval(say))}`)
} else {
  await import('./ask-cases.ts')
}
