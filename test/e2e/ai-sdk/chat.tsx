'use client'
import { useChat } from '@ai-sdk/react'
import { createParleyTransport } from '@parley/client'
import { lastAssistantMessageIsCompleteWithApprovalResponses as areAllDecided } from 'ai'
import { useEffect } from 'react'

const transport = createParleyTransport({
  url: 'https://chat.example.org',
  // Your own dialog shows the privacy notice and remembers the visitor's decision.
  consent: () => localStorage.getItem('privacy-notice') === 'accepted',
})
// In each tab one chat of this name, which goes on after a reload.
const id = 'help'

export function Chat() {
  const chat = useChat({ id, transport, sendAutomaticallyWhen: areAllDecided })
  const { messages, setMessages, sendMessage, regenerate, resumeStream, stop, status, error } = chat
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
  const decide = (call: string, approved: boolean) => void chat.addToolApprovalResponse({ id: call, approved })

  return (
    <main>
      {messages.map((message) => (
        <article key={message.id} data-role={message.role}>
          {message.parts.map((part, index) => {
            if (part.type === 'text') return <p key={index}>{part.text}</p>
            if (!('state' in part) || part.state !== 'approval-requested') return null
            return (
              <p key={index}>
                {part.type} {JSON.stringify(part.input)}
                <button onClick={() => decide(part.approval.id, true)}>Allow</button>
                <button onClick={() => decide(part.approval.id, false)}>Don’t allow</button>
              </p>
            )
          })}
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
