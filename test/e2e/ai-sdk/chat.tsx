import { useChat } from '@ai-sdk/react'
import { useEffect } from 'react'
import { createParleyTransport } from 'https://chat.example.org/client.js'

// Your own dialog shows the privacy notice and remembers the visitor's decision.
const consent = () => localStorage.getItem('privacy-notice') === 'accepted'
const transport = createParleyTransport({ consent })
// The same after a reload, so that the chat goes on.
const id: string = (sessionStorage['chat'] ??= crypto.randomUUID())

export function Chat() {
  const { messages, setMessages, sendMessage, regenerate, resumeStream, stop, status, error } = useChat({ id, transport })
  useEffect(() => {
    const load = async () => {
      setMessages(await transport.loadMessages(id))
      await resumeStream()
    }
    load().catch(console.error)
  }, [setMessages, resumeStream])

  const send = async (form: HTMLFormElement) => {
    const { prompt, files } = form.elements as typeof form.elements & Record<'prompt' | 'files', HTMLInputElement>
    const message = { text: prompt.value, ...(files.files && { files: files.files }) }
    const sending = sendMessage(message)
    form.reset()
    await sending
  }

  return (
    <main>
      {messages.map((message) => (
        <article key={message.id} data-role={message.role}>
          {message.parts.map((part, index) => part.type === 'text' && <p key={index}>{part.text}</p>)}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send(event.currentTarget).catch(console.error)
        }}
      >
        <input name="prompt" aria-label="Message" />
        <input name="files" type="file" multiple aria-label="Files" />
        <button disabled={status === 'submitted' || status === 'streaming'}>Send</button>
        <button
          type="button"
          onClick={() => {
            stop()
              .then(() => transport.stop(id))
              .catch(console.error)
          }}
        >
          Stop
        </button>
        <button
          type="button"
          onClick={() => {
            regenerate().catch(console.error)
          }}
        >
          Try again
        </button>
      </form>
    </main>
  )
}
