import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parleyTarget } from './target.ts'

export interface BarePage {
  url: string
  close(): Promise<void>
}

/** A minimal page that shows a stream: it appends each piece of text to one text node, and sets its title at the end. */
const PAGE = `<!doctype html>
<title>waiting</title>
<p id="answer" style="white-space: pre-wrap"></p>
<script type="module">
  const node = document.createTextNode('')
  document.getElementById('answer').append(node)
  addEventListener('click', async () => {
    const response = await fetch('/stream')
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const events = (rest + read.value).split('\\n\\n')
      rest = events.pop()
      for (const event of events) {
        const data = event.slice(event.indexOf('data: ') + 6)
        if (!data.startsWith('{')) continue
        const chunk = JSON.parse(data)
        if (chunk.type === 'text-delta') node.appendData(chunk.delta)
      }
    }
    document.title = node.length > 0 ? 'done' : 'empty'
  })
</script>`

/** Serves the bare page, and proxies its prompt to Parley. */
export async function serveBarePage(parleyUrl: string): Promise<BarePage> {
  const target = parleyTarget('Parley', parleyUrl)
  const server = createServer((incoming, outgoing) => {
    if (incoming.url !== '/stream') return outgoing.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE)
    const sent = request(target.url, { method: 'POST', headers: target.headers }, (reply) => reply.pipe(outgoing))
    sent.on('error', () => outgoing.destroy())
    return sent.end(target.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
